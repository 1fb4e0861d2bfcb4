from .printed_tables import printed_table as printed_table
from .printing import printable_page as printable_page
from .steps import PaperStep as PaperStep
from .steps import paper_steps as paper_steps
