from .influence import Influence as Influence
from .influence import Influences as Influences
from .influence import Share as Share
from .influence import influences as influences
from .influence import scores_without_each as scores_without_each
from .influence import share as share
