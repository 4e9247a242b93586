"""English word lists: attribute categories, people, animals, places and words about the picture."""

COLOUR_WORDS = frozenset(
    "black brown blue red yellow pink gray grey green dark light white cream orange purple maroon beige violet".split()
)
NUMBER_WORDS = frozenset("one two three four five six seven eight nine ten".split())
SIZE_WORDS = frozenset(
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

WORDS_BY_CATEGORY = {"Color": COLOUR_WORDS, "Cardinality": NUMBER_WORDS, "Size": SIZE_WORDS}

# people: possible antecedents of "he" and "she"
PERSON_NOUNS = frozenset(
    "man woman boy girl person people child kid lady guy baby toddler player skier surfer snowboarder skateboarder rider batter "
    "catcher pitcher umpire officer chef cook bride groom mother father mom dad son daughter husband wife friend family couple "
    "crowd student worker farmer soldier somebody someone adult teenager teen male female gentleman".split()
)

# people, animals and groups of people: subjects of "ride", "hold", "wear", "eat" or "look at" in FACTUAL's graphs, and the like
ACTOR_NOUNS = frozenset(
    "man woman person people boy girl player dog child horse giraffe lady zebra kid surfer skier batter couple baby spectator human "
    "snowboarder officer catcher skateboarder crowd umpire adult pitcher male skater rider mother driver athlete father toddler jockey "
    "goat mannequin son chef passenger female tourist family panda pony pigeon monkey friend worker guy cat elephant cow sheep bear bird "
    "duck student teenager teen swimmer cowboy soldier policeman fan member goalie hitter runner boarder biker cyclist motorcyclist "
    "pedestrian someone somebody group team dancer performer musician bride groom daughter dad mom husband wife vendor farmer chick "
    "gentleman youth youngster".split()
)

MALE_NOUNS = frozenset(
    "man boy guy male father dad son husband groom gentleman grandfather brother uncle king policeman fireman cowboy".split()
)
FEMALE_NOUNS = frozenset("woman girl lady female mother mom daughter wife bride grandmother sister aunt queen waitress actress".split())
GROUP_NOUNS = frozenset("couple family crowd team group pair band flock herd class crew".split())

# places and fixed things, which are rarely agents: "stopped by a tree"
PLACE_NOUNS = frozenset(
    "river tree lake road roadside fence house wall beach sea ocean shore street window door doorway gate building pool pond water "
    "waterside riverside station bridge sidewalk curb corner track railway stream creek waterfall fountain field park garden yard "
    "forest wood bush hedge mountain hill cliff rock stone harbor dock pier airport church tower lighthouse barn cabin tent shop store "
    "restaurant bar counter table desk bench bed sofa couch fireplace fire campfire stove sink bathtub toilet shelf post pole sign "
    "lamp hydrant statue side edge bank stop intersection entrance exit staircase stairs ramp court goal net".split()
)

# words that refer to the picture: "the image shows a dog"
FRAME_NOUNS = frozenset("image picture photo photograph photography scene shot snapshot frame".split())

# effects attributed to the picture: "adding a touch of charm"
COMMENT_NOUNS = frozenset(
    "touch sense depth atmosphere ambiance ambience mood feel feeling charm element air contrast interest warmth vibe beauty impression "
    "dynamic dynamism dimension texture appeal character allure aura tranquility serenity calm elegance whimsy vibrancy liveliness energy "
    "context narrative story drama mystery intrigue magic authenticity realism focus emphasis significance scale perspective balance harmony "
    "symmetry composition aesthetic effect spectacle tableau experience environment setting excitement tension joy "
    "anticipation nostalgia solitude movement motion life pop hint".split()
)
