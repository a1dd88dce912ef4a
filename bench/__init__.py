"""Does many: predictions in, workers, resume, statistics, reports out."""
