"""Reports: pure functions of a run folder. They show verdicts and never compute one."""
