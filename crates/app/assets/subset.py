"""Makes fonts/ from the fonts of the crate epaint_default_fonts: python3 subset.py FOLDER (fontTools 4.68).

Without hinting they are half as large, and letters are not moved to whole pixels.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont

# Latin-1, Greek, punctuation, superscripts, arrows, mathematics, signs of keys, blocks, shapes, ticks.
SIGNS = "20-7E,A0-FF,370-3FF,2010-205F,2070-209F,20AC,2190-22FF,2300-23FF,2580-25FF,2713-2717"
# Lessons may be in any language of these letters. In code, too, they are taken from the font of texts.
LETTERS = "100-17F,400-45F"

for name, unicodes in [("Ubuntu-Light", f"{SIGNS},{LETTERS}"), ("Hack-Regular", SIGNS)]:
    font = TTFont(Path(sys.argv[1]) / f"{name}.ttf")
    subsetter = Subsetter(Options(notdef_outline=True, hinting=False, drop_tables=["VDMX", "hdmx", "TTFA", "DSIG"]))
    subsetter.populate(unicodes=parse_unicodes(unicodes))
    subsetter.subset(font)
    # The Ubuntu Font Licence asks for it.
    for entry in font["name"].names:
        if entry.nameID in (1, 4, 6, 16):
            joint = "-" if entry.nameID == 6 else " "
            entry.string = joint.join([str(entry), "derivative", "rasterscan"])
    font.save(Path(__file__).parent / "fonts" / f"{name}-subset.ttf")
