"""Patterns of genres: a character is a step of a bar; X loud, x normal, o soft, and a dot is a rest.

Alternatives are separated by spaces, the bars of one pattern by a slash. `manner` says how chords are played;
`push` is the probability that chord changes are played ahead of the bar; `tight` that the timing is a machine's.
"""

from dataclasses import dataclass

KEYS = (0, 1, 2, 4, 5)
SYNTHS = (50, 51, 62, 63, 80, 81, 88, 89, 90)
GUITARS = (24, 25, 26, 27, 28)
LOUD_GUITARS = (29, 30, 30)
EIGHTHS, SIXTEENTHS, QUARTERS, OFFS = (
    "x.x.x.x.x.x.x.x.", "xoxoxoxoxoxoxoxo", "x...x...x...x...", "..x...x...x...x.",
)  # fmt: skip
BACK = "....X.......X..."


@dataclass(frozen=True)
class Genre:
    """A genre; `steps` is the number of steps of a beat, `swing` the probability, range and unit of swing."""

    name: str
    bpm: tuple
    kick: str = ""
    snare: str = ""
    hat: str = ""
    open: str = ""
    extra: str = ""
    bass: str = "x..............."
    chords: str = "x..............."
    manner: tuple = ("chord",)
    programs: tuple = KEYS
    basses: tuple = (32, 33, 34, 35)
    metre: str = "4/4"
    beats: int = 4
    steps: int = 4
    swing: tuple = (0, 0, 0, 8)
    push: float = 0.1
    tight: float = 0.3
    electronic: float = 0.2
    moves: float = 0.3
    ambiguous: bool = False
    drummed: float = 0.86


GENRES = (
    Genre("rock", (88, 168), "X.......X....... X.....x.X....... X.......X.x..... X..x....X.x..... X.x.....X.x...x.", BACK,
          f"{EIGHTHS} {EIGHTHS} {QUARTERS}", bass=f"{EIGHTHS} X.......x.x..... X..x..x.X..x..x.",
          chords=f"{EIGHTHS} X..x..x...x.x.x. X...x.x...x.x.x. X...............", manner=("power", "strum"),
          programs=(27, 29, 29, 30, 30), push=0.3, tight=0.15),
    Genre("pop", (84, 130), "X.....X.X....... X...X...X...X... X..x....X..x.... X.......X.......", f"{BACK} ....X.......X..o",
          f"{EIGHTHS} {SIXTEENTHS} {OFFS}", bass=f"{EIGHTHS} X.....x.X.....x. X..x....X..x....",
          chords=f"{QUARTERS} X............... X..x..x.....x... X.....x...x.....", manner=("chord", "strum", "arp"),
          programs=(0, 1, 4, 25, 27, 88), push=0.3, electronic=0.5, tight=0.5),
    Genre("house", (116, 130), "X...X...X...X...", f"{BACK} ................", f"{SIXTEENTHS} ................",
          f"{OFFS}", "...x..x....x..x. ..x..x....x..x..", f"{OFFS} ..xx..x...xx..x. x..x..x...x..x..",
          "...x..x....x..x. x..x..x..x..x... ..x...x...x...x. x...............", ("chord", "stab"), (4, 5, 16, 50, 62, 81),
          (38, 39, 33), electronic=0.9, tight=0.9, moves=0, swing=(0.4, 0.05, 0.25, 16), push=0.2),
    Genre("techno", (122, 150), "X...X...X...X...", "................ ....x.......x...", f"{OFFS} {SIXTEENTHS}",
          f"{OFFS} ................", "...x..x...x..x.. x..x..x..x..x..x .x..x..x.x..x..x",
          "..xx..xx..xx..xx .xxx.xxx.xxx.xxx ................ ..x...x...x...x.",
          "x..x..x..x..x..x ...x.....x...... x...............  ..x..x....x..x..", ("stab", "chord"), (50, 62, 81, 87, 90),
          (38, 39), electronic=1, tight=1, moves=0, push=0),
    Genre("trance", (132, 142), "X...X...X...X...", f"{BACK} ................", SIXTEENTHS, OFFS, "",
          "..x...x...x...x. .xxx.xxx.xxx.xxx", "xxxxxxxxxxxxxxxx x..x..x..x..x.x. x...............", ("arp", "stab"),
          (81, 80, 90, 62), (38, 39), electronic=1, tight=1, moves=0, push=0.05),
    Genre("drum and bass", (165, 180), "X.........X..... X.x.......X..... X.........X..x.. X..x......X.....",
          "....X..o.o..X... ....X.......X..o ....X..o....X...", f"{EIGHTHS} {SIXTEENTHS} x.xxx.x.x.xxx.x.", "",
          "", "x............... x.....x...x..... x..x..........x. x...............", "x............... ......x.........",
          ("pad", "chord", "stab"), (50, 89, 90, 4, 51), (38, 39, 33), electronic=0.7, tight=0.9, moves=0, ambiguous=True),
    Genre("dub", (62, 82), "....X.......X... ........X....... X.......X.......", "....X.......X... ........X.......",
          f"{EIGHTHS} {OFFS} ....x.......x...", "", "...x.......x.... ", "X..x..x.....x... ..x.x...X..x..x. X.....x.x.x.....",
          "..x...x...x...x. ..X.............", ("skank",), (26, 27, 28, 16, 0), ambiguous=True, push=0.1, tight=0.4,
          swing=(0.4, 0.1, 0.33, 16)),
    Genre("reggae one-drop", (64, 92), "....X.......X... ........X.......", "....X.......X... ........X.......",
          f"{EIGHTHS} x.x.x.xxx.x.x.xx", "", "", "X..x..x.....x... ....x.x.X.....x. X.x.x.......x.x.",
          "..x...x...x...x. ..xx..xx..xx..xx", ("skank",), (26, 27, 28, 16), ambiguous=True, tight=0.2,
          swing=(0.5, 0.1, 0.33, 16)),
    Genre("reggae rockers", (66, 96), "X...X...X...X... X.......X.......", "....X.......X... ........X.......", EIGHTHS,
          "", "", "X..x..x.X..x..x. X...x.x...x.x...", "..x...x...x...x.", ("skank",), (27, 28, 16, 0), ambiguous=True,
          tight=0.2, swing=(0.4, 0.1, 0.33, 16)),
    Genre("half-time", (128, 156), "X............... X.....x......... X..x.........x.. X.........x.....", "........X.......",
          f"{EIGHTHS} x.x.xxx.x.xxx.xx {QUARTERS}", "", "", "x............... x.....x......... X..x......x.....",
          "x............... x...x...x...x... ..x...x...x...x.", ("pad", "stab", "power"), (50, 62, 30, 81, 4), (38, 39, 33),
          electronic=0.7, tight=0.8, moves=0.05, ambiguous=True),
    Genre("waltz", (84, 186), "X........... X.......o...", "....x...x... ........x...", "x...x...x... ....x...x...", "", "",
          "X...........  X.......x...", "....x...x... x...x...x... x...........", ("chord", "strum", "arp"), (0, 0, 21, 24, 25, 48),
          metre="3/4", beats=3, drummed=0.5, tight=0.1, moves=0.45, swing=(0.2, 0.2, 0.33, 8)),
    Genre("bossa", (118, 168), "X.....x.X.....x. X.......X.......",
          "x.....x.....x.../....x.....x..... ....x.....x...../x.....x.....x...", EIGHTHS, "", "",
          "X.....x.X.....x. X.......x.......", "x.....x...x...../....x.....x..... x...x.....x...x. ..x...x...x..x..",
          ("chord",), (24, 24, 0, 4), push=0.5, tight=0.1),
    Genre("funk", (92, 122), "X..x......x..x.. X.x.......X..x.. X..x..x...X.....", "....X..o.o..X..o ....X..o....X...",
          f"{SIXTEENTHS} {EIGHTHS}", "..............x. ................", "", "X..x..x...xx..x. X.x....x..x.x..x ..xx..x.X..x..x.",
          "..x.x..x..x.x.xx ..oXo.oX..oXo.ox x...............  ...x..x....x..x.", ("strum", "skank"), (27, 28, 4, 7),
          (36, 37, 33), push=0.3, tight=0.25, swing=(0.3, 0.05, 0.25, 16)),
    Genre("hip-hop", (74, 104), "X......x..X..... X..x......X..x.. X.x....x..x..... X.....x...X.....", BACK,
          f"{EIGHTHS} {SIXTEENTHS} {QUARTERS}", "", "", "X......x..x..... x............... X..x......x..x..",
          "x............... x.......x....... ....x.......x... x..x..x.........", ("chord", "arp"), (0, 4, 5, 24, 46),
          (33, 35, 38), swing=(0.6, 0.1, 0.33, 16), electronic=0.6, tight=0.6, moves=0.05),
    Genre("trap", (132, 156), "X.............x. X.....x...x..... X..x......x.....", "........X.......",
          "x.x.x.x.x.x.xxxx x.xxx.x.x.x.xxx. x.x.x.x.x.x.x.x.", "", "", "x............... x.....x...x..... x..x......x.....",
          "x............... x.x.x.x.x.x.x.x.", ("arp", "pad"), (10, 11, 0, 88, 46), (38, 39), electronic=1, tight=0.95,
          moves=0, ambiguous=True),
    Genre("metal", (96, 200), "xxxxxxxxxxxxxxxx X.x.X.x.X.x.X.x. X..xX..xX..xX..x X.......X.x.....", f"{BACK} ........X....... ..x...x...x...x.",
          f"{QUARTERS} {EIGHTHS}", "", "", "xxxxxxxxxxxxxxxx X..xX..xX..xX..x X.x.X.x.X.x.X.x.",
          "xxxxxxxxxxxxxxxx X..xX..xX..xX.x. X.xxX.xxX.xxX.xx x...............", ("power",), LOUD_GUITARS, (33, 34), tight=0.3),
    Genre("punk", (150, 196), "X.......X.x..... X.x.....X.x..... X...X...X...X...", f"{BACK}", f"{EIGHTHS} {QUARTERS}", "", "",
          EIGHTHS, f"{EIGHTHS} {QUARTERS}", ("power", "strum"), LOUD_GUITARS, (33, 34), tight=0.15, push=0.3),
    Genre("ballad", (56, 84), "X.......X....... X.....x......... X...............", f"{BACK} ........x.......",
          f"{EIGHTHS} {QUARTERS} ................", "", "", "X............... X.....x.X.......",
          "x............... x.x.x.x.x.x.x.x. x...x...x...x... x.....x.....x...", ("chord", "arp", "pad"), (0, 0, 4, 24, 25, 48, 89),
          drummed=0.7, moves=0.5, tight=0.2),
    Genre("swing", (116, 236), "o..o..o..o.. x........... ............", "............ .....o.....o ...o.....o..", "x..x.xx..x.x x..x..x..x.. x..x.xx..x.x",
          "", "", "x..x..x..x.. x.....x.....", "x....x...... .....x.....x x...........  ..x.....x...", ("chord",), (0, 0, 26, 16, 4), (32, 32, 33),
          steps=3, push=0.4, tight=0.05, moves=0.4),
    Genre("blues", (58, 132), "X.....X..... X....xX..... X..X..X..X..", "...X.....X..", "x.xx.xx.xx.x xxxxxxxxxxxx x..x..x..x..", "", "",
          "X..X..X..X.. X.xX.xX.xX.x X.....x..x.x", "x.xx.xx.xx.x ...x.....x.. x...........", ("strum", "chord", "power"), (0, 16, 26, 27, 29),
          steps=3, tight=0.1, moves=0.4),
    Genre("jig 6/8", (88, 138), "X..x.. X.....", "...x.. ...x.x ......", "xxxxxx x.xx.x x..x..", "", "", "X..x.. X.....", "x.xx.x .xx.xx x.....",
          ("strum", "chord", "arp"), (25, 24, 21, 22, 0), metre="6/8", beats=2, steps=3, drummed=0.6, tight=0.15, moves=0.4),
    Genre("ballad 6/8", (44, 76), "X..... X....x", "...X..", "xxxxxx x.x.x. x.xx.x", "", "", "X..... X..x.. X....x", "xxxxxx x..... x..x..",
          ("arp", "chord", "strum"), (0, 24, 25, 27, 48), metre="6/8", beats=2, steps=3, drummed=0.75, tight=0.2, moves=0.4),
    Genre("march 2/4", (96, 132), "X...x... X.......", "..x...x. ..x.x.xx ....x...", "..x...x. x.x.x.x. ........", "", "", "X...x... X.......", "..x...x. ..x.x.x.",
          ("chord", "strum"), (0, 21, 22, 25, 57, 61), (58, 32, 33), metre="2/4", beats=2, drummed=0.7, tight=0.15, moves=0.4),
    Genre("odd 5/4", (84, 178), "X.....x.....X....... X...........X....... X.......x...X.......", "....X...........X... ........X.......X...",
          "x.x.x.x.x.x.x.x.x.x. x...x...x...x...x...", "", "", "X.....x.....X...x... X...........x.......", "x.....x.....x...x... x..........x........ x...................",
          ("chord", "strum", "arp"), metre="5/4", beats=5, push=0.1, tight=0.3),
    Genre("odd 7/4", (92, 190), "X.......X.......X...x....... X.......x...X...............", "....X.......X.......X....... ....X...........X...........",
          "x.x.x.x.x.x.x.x.x.x.x.x.x.x. x...x...x...x...x...x...x...", "", "", "X.......x.......x...x....... X...............x...........",
          "x.......x.......x...x....... x...........................", ("chord", "strum", "arp"), (0, 4, 27, 29, 25), metre="7/4", beats=7,
          push=0.1, tight=0.3),
    Genre("six 6/4", (92, 168), "X...........X........... X.......x...X...........", "....X...........X....... ........X...........X...",
          "x.x.x.x.x.x.x.x.x.x.x.x. x...x...x...x...x...x...", "", "", "X...........x........... X.......x...x.......x...",
          "x...........x........... x...x...x...x...x...x... x.......................", ("chord", "strum", "arp"), metre="6/4", beats=6,
          tight=0.3),
    Genre("acoustic guitar", (66, 148), bass="................", chords="x...x.x...x.x.x. x.x.x.x.x.x.x.x. x...x.xx..xxx.x. X..x..x.X..x..x. xxxxxxxxxxxxxxxx",
          manner=("strum", "pick", "arp"), programs=(24, 25, 25), drummed=0, tight=0.05, moves=0.6, push=0.3),
    Genre("waltz guitar", (78, 168), bass="............", chords="X...x...x... x...x.x.x... x.x.x.x.x.x. X.....x.x...", manner=("strum", "pick", "arp"),
          programs=(24, 25, 25, 26), metre="3/4", beats=3, drummed=0, tight=0.05, moves=0.6),
    Genre("piano solo", (58, 140), bass="X...x...x...x... X.......x....... X...............", chords="x.x.x.x.x.x.x.x. ..x...x...x...x. x..x..x...x..x.. x...............",
          manner=("chord", "arp"), programs=(0, 0, 1), basses=(0,), drummed=0, tight=0.02, moves=0.8, push=0.2),
    Genre("disco", (108, 128), "X...X...X...X...", BACK, f"{SIXTEENTHS} ................", OFFS, "", "x.o.x.o.x.o.x.o. X..x..x.X..x..x. ..x...x...x...x.",
          "..x.x..x..x.x..x ...x..x....x..x. x...............", ("strum", "chord", "skank"), (27, 28, 4, 0, 48), (33, 36), push=0.2, tight=0.5, electronic=0.4),
    Genre("off-beat hats", (88, 140), "................ X............... ..........X.....", "....x.......x... ................ ........X.......",
          f"{OFFS} {OFFS} .x.x.x.x.x.x.x.x", "..x...x...x...x. ................", "..x..x....x..x.. ...x..x...x...x.",
          "..x...x...x...x. x..x..x...x..x..", "..x...x...x...x. x............... ...x..x....x..x.", ("chord", "stab", "strum"), electronic=0.5, tight=0.5, push=0.2),
    Genre("drum loop", (76, 176), "X.......X....... X..x..x...X..x.. X...X...X...X... X.........X.....", f"{BACK} ....X..o.o..X..o ........X.......",
          f"{EIGHTHS} {SIXTEENTHS} {QUARTERS}", "", "x..x..x...x.x... ..x..x..x..x..x. ", "................", "................", drummed=1, tight=0.6,
          moves=0, electronic=0.5),
    Genre("latin", (88, 128), "X.....x.X.....x. ......x.......x. X...X...X...X...", "................ x..x..x...x.x... ..x.x...x..x..x.",
          f"{QUARTERS} x.xxx.xxx.xxx.xx", "", "x..x..x...x.x... x.xxx.xxx.xx.xx. ..x.x...x..x..x.", "......x.....x... X..x..x.X..x..x. ......x.....x.x.",
          "x.xx.x.xx.x.xx.x x..x..x...x.x... ..x..x....x..x..", ("chord", "arp"), (0, 0, 24, 61), push=0.6, tight=0.2),
    Genre("reggaeton", (84, 104), "X...X...X...X...", "...x..x....x..x.", f"{QUARTERS} {EIGHTHS}", "", "", "X..x..x.X..x..x. x...............", "x..x..x.x..x..x. x...............",
          ("arp", "stab", "chord"), (46, 12, 81, 24), (38, 39), electronic=0.9, tight=0.9, moves=0),
    Genre("garage", (126, 138), "X.........x..... X.........X..x.. X......x..X.....", BACK, f"{SIXTEENTHS} {OFFS}", "..x...x...x...x.", "...x..x....x..x.",
          "x..x..x...x..x.. ..x...x...x...x. x......x..x.....", "...x..x....x..x. x..x............ ..x...x.........", ("chord", "stab"), (4, 16, 50, 62), (38, 39),
          swing=(0.9, 0.12, 0.33, 16), electronic=0.9, tight=0.85, moves=0),
    Genre("country", (84, 128), "X.......X....... X...X...X...X...", "..x...x...x...x. ooXoooXoooXoooXo ....X.......X...", f"{EIGHTHS} ................", "", "",
          "X.......x.......", "....x.......x... x...x.x.x...x.x. ..x...x...x...x.", ("strum", "pick"), (24, 25, 25, 27), (32, 33), tight=0.15),
)  # fmt: skip
