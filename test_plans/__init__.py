"""Test plans: what is tested. Plans as data, and the pytest module that runs and judges them."""
