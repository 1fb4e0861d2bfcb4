from .figure_register import FIGURES as FIGURES
from .figure_register import Need as Need
from .figure_register import PrintedFigure as PrintedFigure
from .material import Material as Material
from .printed_tables import printed_table as printed_table
from .printing import printable_page as printable_page
from .steps import PaperStep as PaperStep
from .steps import paper_steps as paper_steps
