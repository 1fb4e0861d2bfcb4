"""The invented world: names of people, places and institutions, how they are spelled, months and days.

All of it is made up. Plain data; `meanings.py` deals from these lists.
"""

CITIES = (
    "Port Alder", "Vellmark", "Karsholm", "Lindovar", "Bessaly", "Orrinsk", "Calder Bay", "Sundholm",
    "Brannock", "Esterhaven", "Mirefort", "Quennel", "Saltmere", "Ullenshaw",
)  # fmt: skip
TOWNS = (
    "Thornwick", "Wexbridge", "Lower Tansy", "Ambry", "Fennick", "Greyford", "Hollin", "Juniper Cross",
    "Kettleby", "Marrowick", "New Tarn", "Osterby", "Pellow", "Rushmoor Green", "Skarne", "Tollbeck",
)  # fmt: skip
COUNTRIES = ("Averland", "Esmarra", "Tollenia", "Kardovia", "Lusmark", "Orlund", "Velundia", "Pomeria")
REGIONS = (
    "the Marl valley", "the Northern Lakes", "Upper Vesk", "the Salt Coast", "East Harrow", "the Low Hills",
    "the Seven Parishes", "the Oster plain",
)  # fmt: skip
RIVERS = ("Vesk", "Ellder", "Marl", "Oster", "Quill", "Wend")
UNIVERSITIES = (
    "the University of Lindovar", "the Institute for Coastal Research", "Saltmere College",
    "the Academy of Vellmark", "the Polytechnic of Orrinsk", "the University of Quennel",
)  # fmt: skip
FIRMS = (
    "Norrick and Sons", "Amberline", "Corvell Works", "Oakhand", "Tansy Brothers", "Blue Kettle",
    "Pike and Lumen", "Sollis",
)  # fmt: skip
PAPERS = (
    "the Morning Lantern", "the Harbour Post", "the Daily Compass", "the Evening Plough",
    "the Weekly Anchor",
)  # fmt: skip
NICKNAMES = (
    '"Grandmother"', '"Little Otto"', '"the Duchess"', '"Old Thunder"', '"Sleeping Beauty"', '"the Bishop"',
)  # fmt: skip
WOMEN = (
    "Elin", "Ruta", "Petra", "Mirela", "Halla", "Linnea", "Sanna", "Katrin", "Noor", "Vesna", "Ottilie",
    "Ingrith", "Tamsin", "Marisol",
)  # fmt: skip
MEN = (
    "Tomas", "Anselm", "Oskar", "Joren", "Davit", "Bram", "Ivo", "Emeric", "Stellan", "Caspar", "Lorcan",
    "Matthis", "Rurik", "Fabian",
)  # fmt: skip
SURNAMES = (
    "Tarrow", "Vennick", "Ossery", "Merrowdale", "Kestle", "Stonefield", "Underbrook", "Winterhalm",
    "Goldenberry", "Pellam", "Rookwood", "Thornby", "Ashgrove", "Brightwater", "Drummel", "Fennimore",
    "Greywell", "Halvorn", "Illick", "Jessamy", "Korda", "Lunt", "Marchbank", "Nettleship", "Orrery",
    "Quarrel", "Ravensby", "Saltonstow", "Tillerman", "Wolverholt",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip

# The invented source language is not written in our letters, so each translator spells its names differently.
SPELLINGS = {
    "Vellmark": ("Velmark", "Vehlmarg"),
    "Karsholm": ("Karshulm", "Carsholm"),
    "Lindovar": ("Lindowar", "Lyndovar"),
    "Bessaly": ("Bessali", "Besaly"),
    "Orrinsk": ("Orinsk", "Orrynsk"),
    "Sundholm": ("Soundholm", "Sundhulm"),
    "Brannock": ("Branok", "Brannok"),
    "Quennel": ("Kvennel", "Quenel"),
    "Fennick": ("Fennik", "Fenick"),
    "Skarne": ("Scarne", "Skarn"),
    "Kettleby": ("Ketelby", "Kettelbi"),
    "Marrowick": ("Marovik", "Marowick"),
    "Ambry": ("Ambri", "Embry"),
    "Hollin": ("Holin", "Hollyn"),
    "Averland": ("Awerland", "Averlant"),
    "Esmarra": ("Esmara", "Ezmarra"),
    "Tollenia": ("Tolenia", "Tollenya"),
    "Kardovia": ("Cardovia", "Kardowia"),
    "Orlund": ("Orlond", "Orlundt"),
    "Vesk": ("Wesk", "Vesq"),
    "Ellder": ("Elder", "Eldar"),
    "Quill": ("Kwill", "Quil"),
    "Elin": ("Ellin", "Elyn"),
    "Ruta": ("Rutha", "Routa"),
    "Mirela": ("Mirella", "Myrela"),
    "Halla": ("Hala", "Challa"),
    "Linnea": ("Linea", "Lynnea"),
    "Katrin": ("Catrin", "Kathrin"),
    "Vesna": ("Wesna", "Viesna"),
    "Ottilie": ("Otilie", "Ottilia"),
    "Ingrith": ("Ingrit", "Yngrith"),
    "Tomas": ("Thomas", "Tomash"),
    "Anselm": ("Anselem", "Ansel"),
    "Oskar": ("Oscar", "Osker"),
    "Joren": ("Yoren", "Jorren"),
    "Davit": ("Davith", "Dawit"),
    "Emeric": ("Emerik", "Emmerich"),
    "Stellan": ("Stelan", "Shtellan"),
    "Caspar": ("Kaspar", "Casper"),
    "Matthis": ("Matis", "Mathis"),
    "Rurik": ("Ruric", "Rourik"),
    "Tarrow": ("Tarow", "Tarrov"),
    "Vennick": ("Vennik", "Wenick"),
    "Ossery": ("Ossory", "Osery"),
    "Kestle": ("Kestel", "Cestle"),
    "Pellam": ("Pelam", "Pellem"),
    "Drummel": ("Drumel", "Trummel"),
    "Halvorn": ("Halworn", "Halvoren"),
    "Illick": ("Illik", "Ilick"),
    "Jessamy": ("Yessamy", "Jessami"),
    "Korda": ("Corda", "Chorda"),
    "Lunt": ("Loont", "Lundt"),
    "Merrowdale": ("Merodale", "Merrodal"),
    "Wolverholt": ("Volverholt", "Wolferholt"),
    "Nettleship": ("Nettelship", "Netelship"),
    "Thornby": ("Tornby", "Thornbi"),
    "Fennimore": ("Fenimor", "Fennimor"),
    "Tillerman": ("Tilerman", "Thillerman"),
    "Orrery": ("Orery", "Orreri"),
}

NAMES = frozenset(
    word
    for name in (
        *CITIES, *TOWNS, *COUNTRIES, *RIVERS, *FIRMS, *WOMEN, *MEN, *SURNAMES, *DAYS, *MONTHS,
        "Mr", "Ms", "I",
    )
    for word in name.split()
)  # fmt: skip
