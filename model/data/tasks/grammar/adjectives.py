"""Adjectives of the grammar."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Adjective:
    """An adjective in both languages.

    Attributes:
        forms: masculine and feminine singular, masculine and feminine plural.
        before_vowel: masculine singular in front of a noun with a vowel: un bel arbre.
        first: whether it stands before its noun in French.
        kinds: of nouns it is said of.
    """

    english: str
    forms: tuple[str, str, str, str]
    before_vowel: str
    first: bool
    kinds: frozenset[str]

    def form(self, *, feminine: bool, plural: bool) -> str:
        """The form that agrees."""
        return self.forms[2 * plural + feminine]


# English, masculine (/ before a vowel), feminine, their plurals, before or after the noun, kinds.
_TABLE = """
small       petit           petite       petits       petites       before person,animal,thing,place
big         grand           grande       grands       grandes       before animal,thing,place
tall        grand           grande       grands       grandes       before person
young       jeune           jeune        jeunes       jeunes        before person,animal
old         vieux/vieil     vieille      vieux        vieilles      before person,animal,thing,place
new         nouveau/nouvel  nouvelle     nouveaux     nouvelles     before kin,thing,place
beautiful   beau/bel        belle        beaux        belles        before person,animal,thing,place
pretty      joli            jolie        jolis        jolies        before clothes,place,thing
good        bon             bonne        bons         bonnes        before food,drink,text
bad         mauvais         mauvaise     mauvais      mauvaises     before food,drink,text
excellent   excellent       excellente   excellents   excellentes   before food,drink,text
long        long            longue       longs        longues       before text
enormous    énorme          énorme       énormes      énormes       before animal,thing
red         rouge           rouge        rouges       rouges        after  thing
green       vert            verte        verts        vertes        after  thing
blue        bleu            bleue        bleus        bleues        after  thing
black       noir            noire        noirs        noires        after  thing,animal
white       blanc           blanche      blancs       blanches      after  thing,animal
grey        gris            grise        gris         grises        after  thing,animal
yellow      jaune           jaune        jaunes       jaunes        after  thing
intelligent intelligent     intelligente intelligents intelligentes after  person,animal
famous      célèbre         célèbre      célèbres     célèbres      after  person,famous
happy       heureux         heureuse     heureux      heureuses     after  person,animal
sad         triste          triste       tristes      tristes       after  person,animal
tired       fatigué         fatiguée     fatigués     fatiguées     after  person,animal
calm        calme           calme        calmes       calmes        after  person,animal,place
rich        riche           riche        riches       riches        after  person
shy         timide          timide       timides      timides       after  person,animal
polite      poli            polie        polis        polies        after  person
patient     patient         patiente     patients     patientes     after  person
jealous     jaloux          jalouse      jaloux       jalouses      after  person
french      français        française    français     françaises    after  person,thing,food
italian     italien         italienne    italiens     italiennes    after  person,thing,food
english     anglais         anglaise     anglais      anglaises     after  person,text
heavy       lourd           lourde       lourds       lourdes       after  thing
light       léger           légère       légers       légères       after  clothes
dirty       sale            sale         sales        sales         after  washed
clean       propre          propre       propres      propres       after  washed
expensive   cher            chère        chers        chères        after  thing,food
dangerous   dangereux       dangereuse   dangereux    dangereuses   after  animal
modern      moderne         moderne      modernes     modernes      after  place
fresh       frais           fraîche      frais        fraîches      after  food
hot         chaud           chaude       chauds       chaudes       after  drink,dish
cold        froid           froide       froids       froides       after  drink,dish
"""


def _read(line: str) -> Adjective:
    english, masculine, feminine, masculines, feminines, side, kinds = line.split()
    usual, _, vowel = masculine.partition("/")
    forms = (usual, feminine, masculines, feminines)
    return Adjective(english, forms, vowel or usual, side == "before", frozenset(kinds.split(",")))


ADJECTIVES = tuple(_read(line) for line in _TABLE.strip().splitlines())
