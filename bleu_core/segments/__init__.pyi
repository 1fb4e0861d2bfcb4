from .expression import parse as parse
from .influence import scores_without_each as scores_without_each
from .search import SearchStoppedError as SearchStoppedError
from .search import TextSearch as TextSearch
from .search import find_text as find_text
from .slices import Slice as Slice
from .slices import slice_corpus as slice_corpus
