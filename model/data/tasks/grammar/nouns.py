"""Nouns of the grammar."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Noun:
    """A noun in both languages.

    Attributes:
        plural: "" where the noun has none: a single person, or what is not counted (`mass`).
        feminine: in French.
        kinds: what it may be said of and done to, as the verbs and adjectives name it.
    """

    english: str
    plural: str
    french: str
    french_plural: str
    feminine: bool
    kinds: frozenset[str]

    @property
    def mass(self) -> bool:
        """Whether it is not counted: some milk."""
        return "mass" in self.kinds


# English, plural, French, plural, gender, kinds. A kin belongs to somebody.
_TABLE = """
boy       boys       garçon     garçons     m person
girl      girls      fille      filles      f person
man       men        homme      hommes      m person
woman     women      femme      femmes      f person
child     children   enfant     enfants     m person,kin
king      kings      roi        rois        m person
queen     queens     reine      reines      f person
actor     actors     acteur     acteurs     m person
actress   actresses  actrice    actrices    f person
hero      heroes     héros      héros       m person
waitress  waitresses serveuse   serveuses   f person
doctor    doctors    médecin    médecins    m person,kin
teacher   teachers   professeur professeurs m person,kin
student   students   étudiant   étudiants   m person
friend    friends    ami        amis        m person,kin
neighbour neighbours voisin     voisins     m person,kin
brother   brothers   frère      frères      m person,kin
sister    sisters    sœur       sœurs       f person,kin
mother    -          mère       -           f person,kin
father    -          père       -           m person,kin
uncle     uncles     oncle      oncles      m person,kin
aunt      aunts      tante      tantes      f person,kin
cat       cats       chat       chats       m animal
dog       dogs       chien      chiens      m animal
horse     horses     cheval     chevaux     m animal
bird      birds      oiseau     oiseaux     m animal
mouse     mice       souris     souris      f animal
cow       cows       vache      vaches      f animal
hen       hens       poule      poules      f animal
hamster   hamsters   hamster    hamsters    m animal
book      books      livre      livres      m thing,text,written,shut,kept
letter    letters    lettre     lettres     f thing,text,written,kept
newspaper newspapers journal    journaux    m thing,text,kept
painting  paintings  tableau    tableaux    m thing,famous
key       keys       clé        clés        f thing,kept
umbrella  umbrellas  parapluie  parapluies  m thing,shut,kept
watch     watches    montre     montres     f thing,kept
clock     clocks     horloge    horloges    f thing,fragile
chair     chairs     chaise     chaises     f thing,fragile,washed
table     tables     table      tables      f thing,washed
lamp      lamps      lampe      lampes      f thing,fragile
cup       cups       tasse      tasses      f thing,fragile,washed
plate     plates     assiette   assiettes   f thing,fragile,washed
window    windows    fenêtre    fenêtres    f thing,fragile,shut,washed
door      doors      porte      portes      f thing,shut,washed
car       cars       voiture    voitures    f thing,washed
bicycle   bicycles   vélo       vélos       m thing,washed
boat      boats      bateau     bateaux     m thing
tree      trees      arbre      arbres      m thing
flower    flowers    fleur      fleurs      f thing
tool      tools      outil      outils      m thing,kept
hat       hats       chapeau    chapeaux    m thing,clothes,kept
dress     dresses    robe       robes       f thing,clothes,washed
coat      coats      manteau    manteaux    m thing,clothes,washed,kept
shirt     shirts     chemise    chemises    f thing,clothes,washed
apple     apples     pomme      pommes      f food
orange    oranges    orange     oranges     f food
pear      pears      poire      poires      f food
egg       eggs       œuf        œufs        m food
cake      cakes      gâteau     gâteaux     m food,dish
salad     salads     salade     salades     f food,dish
onion     onions     oignon     oignons     m food
carrot    carrots    carotte    carottes    f food
bean      beans      haricot    haricots    m food
bread     -          pain       -           m food,mass
meat      -          viande     -           f food,mass,dish
soup      -          soupe      -           f food,mass,dish
cheese    -          fromage    -           m food,mass
milk      -          lait       -           m drink,mass
water     -          eau        -           f drink,mass
coffee    -          café       -           m drink,mass,dish
tea       -          thé        -           m drink,mass,dish
garden    gardens    jardin     jardins     m place,inside
house     houses     maison     maisons     f place,inside
kitchen   kitchens   cuisine    cuisines    f place,inside
school    schools    école      écoles      f place,inside,goal
office    offices    bureau     bureaux     m place,inside,goal
hotel     hotels     hôtel      hôtels      m place,inside,goal,famous
hospital  hospitals  hôpital    hôpitaux    m place,inside,goal
library   libraries  bibliothèque bibliothèques f place,inside,goal
church    churches   église     églises     f place,inside,goal
park      parks      parc       parcs       m place,inside,goal
forest    forests    forêt      forêts      f place,inside
market    markets    marché     marchés     m place,goal
station   stations   gare       gares       f place,goal
"""


def _read(line: str) -> Noun:
    english, plural, french, french_plural, gender, kinds = line.split()
    plurals = [word.replace("-", "") for word in (plural, french_plural)]
    return Noun(english, plurals[0], french, plurals[1], gender == "f", frozenset(kinds.split(",")))


NOUNS = tuple(_read(line) for line in _TABLE.strip().splitlines())
