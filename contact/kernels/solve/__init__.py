"""The step's contact problem: passes, Newton's method on the whole law, friction of other contacts."""
