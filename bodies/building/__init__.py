"""From a description to the flat arrays of a model: lowering, elimination order, closed pose."""
