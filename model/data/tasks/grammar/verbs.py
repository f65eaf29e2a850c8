"""Verbs of the grammar."""

from __future__ import annotations

from dataclasses import dataclass

PERSONS = (
    "je",
    "tu",
    "il",
    "nous",
    "ils",
)  # "you" is always tu; il stands for whatever is one, ils for several


@dataclass(frozen=True)
class Verb:
    """A verb in both languages.

    Attributes:
        base, third, past: of the English verb: eat, eats, ate.
        particle: the English preposition or adverb that belongs to it: look at.
        present: by person, as `PERSONS`.
        perfect_with_be: the passé composé takes être, and its participle agrees with the subject.
        state: it is said in the present only (she knows him).
        subjects, objects: kinds of nouns; no objects = intransitive.
    """

    base: str
    third: str
    past: str
    particle: str
    present: tuple[str, ...]
    infinitive: str
    participle: str
    perfect_with_be: bool
    state: bool
    subjects: frozenset[str]
    objects: frozenset[str]


BE = ("suis", "es", "est", "sommes", "sont")
WAS = ("étais", "étais", "était", "étions", "étaient")
HAVE = ("ai", "as", "a", "avons", "ont")
GO = ("vais", "vas", "va", "allons", "vont")

# English base, third person, past, particle (- none) | French infinitive, then of an irregular verb its
# present by person and participle, (être) or (state) | kinds of subjects | kinds of objects
_TRANSITIVE = """
see sees saw - | voir vois vois voit voyons voient vu | person animal | person animal thing food place
find finds found - | trouver | person animal | animal thing food
look looks looked at | regarder | person animal | person animal thing place
look looks looked for | chercher | person animal | person animal kept food
touch touches touched - | toucher | person animal | animal thing food
eat eats ate - | manger | person animal | food
drink drinks drank - | boire bois bois boit buvons boivent bu | person animal | drink
prepare prepares prepared - | préparer | person | dish
buy buys bought - | acheter achète achètes achète achetons achètent acheté | person | thing food drink animal
sell sells sold - | vendre vends vends vend vendons vendent vendu | person | thing food animal
choose chooses chose - | choisir choisis choisis choisit choisissons choisissent choisi | person | thing food
take takes took - | prendre prends prends prend prenons prennent pris | person | kept food
lose loses lost - | perdre perds perds perd perdons perdent perdu | person | kept
forget forgets forgot - | oublier | person | kept
read reads - - | lire lis lis lit lisons lisent lu (state) | person | text
write writes wrote - | écrire écris écris écrit écrivons écrivent écrit | person | written
draw draws drew - | dessiner | person | animal thing place
wash washes washed - | laver | person | washed
break breaks broke - | casser | person animal | fragile
open opens opened - | ouvrir ouvre ouvres ouvre ouvrons ouvrent ouvert | person | shut
close closes closed - | fermer | person | shut
wear wears wore - | porter | person | clothes
want wants - - | vouloir veux veux veut voulons veulent voulu (state) | person | thing food drink animal
have has - - | avoir ai as a avons ont eu (state) | person | thing animal kin
"""

# What one does to a person, or to an animal: these may have a pronoun for an object.
_SOCIAL = """
see sees saw - | voir vois vois voit voyons voient vu | person animal | person animal
hear hears heard - | entendre entends entends entend entendons entendent entendu | person animal | person
look looks looked at | regarder | person animal | person animal
look looks looked for | chercher | person animal | person animal
listen listens listened to | écouter | person | person
wait waits waited for | attendre attends attends attend attendons attendent attendu | person animal | person
meet meets met - | rencontrer | person | person
help helps helped - | aider | person | person
thank thanks thanked - | remercier | person | person
call calls called - | appeler appelle appelles appelle appelons appellent appelé | person | person animal
invite invites invited - | inviter | person | person
love loves - - | aimer (state) | person animal | person animal
know knows - - | connaître connais connais connaît connaissons connaissent connu (state) | person | person
"""

_GIVING = """
give gives gave - | donner | person | thing food drink
show shows showed - | montrer | person | thing animal
send sends sent - | envoyer envoie envoies envoie envoyons envoient envoyé | person | kept
bring brings brought - | apporter | person | kept food drink
"""

_INTRANSITIVE = """
sleep sleeps slept - | dormir dors dors dort dormons dorment dormi | person animal |
work works worked - | travailler | person |
sing sings sang - | chanter | person |
laugh laughs laughed - | rire ris ris rit rions rient ri | person |
cry cries cried - | pleurer | person |
run runs ran - | courir cours cours court courons courent couru | person animal |
dance dances danced - | danser | person |
play plays played - | jouer | person animal |
wait waits waited - | attendre attends attends attend attendons attendent attendu | person animal |
speak speaks spoke - | parler | person |
arrive arrives arrived - | arriver (être) | person animal |
leave leaves left - | partir pars pars part partons partent parti (être) | person animal |
fall falls fell - | tomber (être) | person animal |
stay stays stayed - | rester (être) | person animal |
come comes came back | revenir reviens reviens revient revenons reviennent revenu (être) | person animal |
"""

_GOING = "go goes went to | aller vais vas va allons vont allé (être) | person animal | goal"
_COMING = "come comes came from | venir viens viens vient venons viennent venu (être) | person animal | goal"


def _read(line: str) -> Verb:
    english, french, subjects, objects = (part.split() for part in line.split("|"))
    base, third, past, particle = ("" if word == "-" else word for word in english)
    infinitive, *forms = (word for word in french if not word.startswith("("))
    *present, participle = forms or _regular(infinitive.removesuffix("er"))
    return Verb(
        base, third, past, particle, tuple(present), infinitive, participle,
        "(être)" in french, "(state)" in french, frozenset(subjects), frozenset(objects),
    )  # fmt: skip


def _regular(stem: str) -> list[str]:
    """Present by person and participle of a verb in -er; a g stays soft: nous mangeons."""
    soft = "e" if stem.endswith("g") else ""
    return [f"{stem}e", f"{stem}es", f"{stem}e", f"{stem}{soft}ons", f"{stem}ent", f"{stem}é"]


def _all(table: str) -> tuple[Verb, ...]:
    return tuple(_read(line) for line in table.strip().splitlines())


TRANSITIVE, SOCIAL, GIVING, INTRANSITIVE = map(_all, (_TRANSITIVE, _SOCIAL, _GIVING, _INTRANSITIVE))
MOVING = (_read(_GOING), _read(_COMING))
