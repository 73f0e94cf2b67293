"""Two rates: a slow and a fast model that exchange motion and force at fixed times."""
