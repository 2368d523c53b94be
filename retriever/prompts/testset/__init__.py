"""What a language model is asked for test sets: to `write` a question that goes over a bridge, and to `judge` one."""
