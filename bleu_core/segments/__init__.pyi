from .influence import scores_without_each as scores_without_each
