"""Long computations: the queue, the worker process and the tasks."""
