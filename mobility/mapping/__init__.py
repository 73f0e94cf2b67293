"""From rasters to the layers of a map, its store, pages, routes and comparison."""
