"""The step's contact problem: passes, Newton's method on the whole law, friction beside wheels."""
