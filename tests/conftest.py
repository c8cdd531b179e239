"""Makes `table` and the other modules beside this file importable from every test."""
