"""Word lists of the attribute categories (spec section 7)."""

COLOURS = frozenset("black brown blue red yellow pink gray grey green dark light white cream orange purple maroon beige violet".split())
NUMBERS = frozenset("one two three four five six seven eight nine ten".split())
SIZES = frozenset(
    (
        "baby beefy big bony boundless brawny broad bulky chunky colossal compact corpulent cosmic cubby curvy "
        "elfin emaciated endless enormous epic expansive extensive fat fleshy full-size gargantuan gaunt giant "
        "gigantic grand great heavy hefty huge hulking illimitable immeasurable immense infinitesimal lanky large "
        "lean life-size limitless little mammoth massive meager measly microscopic mini miniature minuscule minute "
        "narrow obese outsized oversize overweight paltry petite pint-size plump pocket-size portly pudgy puny "
        "rotund scanty scraggy scrawny short sizable skeletal skimpy skinny slender slim small squat stocky stout "
        "strapping sturdy tall teensy teeny teeny-tiny teeny-weeny thick thickset thin tiny titanic towering "
        "trifling trim tubby undersized underweight unlimited vast wee whopping wide "
    ).split()
)

CATEGORIES = {"Color": COLOURS, "Cardinality": NUMBERS, "Size": SIZES}
