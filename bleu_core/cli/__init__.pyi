from .start import main as main
