"""Questions, one a folder: its verb, measurement, analysis, findings and reports."""
