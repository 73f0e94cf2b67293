"""Maps from rasters: layers, tiles and their store, pages, routes, comparison."""
