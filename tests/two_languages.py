"""A test set in German and Dutch with two systems, and BLEU by sacreBLEU 2.6.0 with the reference of each language."""

from __future__ import annotations

#: Text (ref, A, B) and language -> its twelve lines.
TEXTS: dict[tuple[str, str], str] = {
    ("ref", "de"): """\
Die Fähre zur Insel fährt um sieben Uhr morgens ab.
Bitte schließen Sie das Fenster, bevor Sie den Raum verlassen.
Unser Nachbar hat ein gebrauchtes Fahrrad gekauft.
Der Bericht wurde zwei Tage später als geplant veröffentlicht.
Sie fragte, ob die Bibliothek sonntags geöffnet ist.
Niemand weiß, warum gestern Abend das Licht ausging.
Die Bäckerei an der Ecke verkauft Brot ohne Salz.
Wir brauchen drei Exemplare des unterschriebenen Vertrags.
Es regnet seit Anfang des Monats.
Die Kinder haben den alten Zaun grün und weiß gestrichen.
Er hat seinen Regenschirm im Zug nach Hannover vergessen.
Das Museum bietet am ersten Freitag freien Eintritt.
""",
    ("ref", "nl"): """\
De veerboot naar het eiland vertrekt om zeven uur 's ochtends.
Sluit het raam voordat u de kamer verlaat.
Onze buurman heeft een tweedehands fiets gekocht.
Het rapport werd twee dagen later dan gepland gepubliceerd.
Ze vroeg of de bibliotheek op zondag open is.
Niemand weet waarom het licht gisteravond uitviel.
De bakkerij op de hoek verkoopt brood zonder zout.
We hebben drie exemplaren van het ondertekende contract nodig.
Het regent sinds het begin van de maand.
De kinderen verfden het oude hek groen en wit.
Hij vergat zijn paraplu in de trein naar Hannover.
Het museum is op de eerste vrijdag gratis toegankelijk.
""",
    ("A", "de"): """\
Die Fähre zur Insel geht um sieben Uhr morgens ab.
Bitte schließen Sie das Fenster, bevor Sie das Zimmer verlassen.
Unser Nachbar hat ein gebrauchtes Rad gekauft.
Der Bericht wurde zwei Tage später als geplant veröffentlicht.
Sie fragte, ob die Bibliothek am Sonntag offen ist.
Keiner weiß, warum gestern Nacht das Licht ausging.
Die Bäckerei an der Ecke verkauft Brot ohne Salz.
Wir brauchen drei Kopien des unterschriebenen Vertrags.
Es regnet seit Beginn des Monats.
Die Kinder haben den alten Zaun grün und weiß bemalt.
Er vergaß seinen Schirm im Zug nach Hannover.
Das Museum bietet am ersten Freitag freien Eintritt.
""",
    ("A", "nl"): """\
De veerboot naar de eiland vertrekt om zeven uur 's ochtends.
Sluit de raam voordat u de kamer verlaat.
Onze buurman heeft een tweedehands fiets gekocht.
Het rapport is twee dagen later dan gepland gepubliceerd.
Ze vroeg of de bibliotheek op zondag open is.
Niemand weet waarom de licht gisteravond uitviel.
De bakkerij op de hoek verkoopt brood zonder zout.
We hebben drie exemplaren van de ondertekende contract nodig.
Het regent sinds de begin van de maand.
De kinderen verfden de oude hek groen en wit.
Hij vergat zijn paraplu in de trein naar Hannover.
Het museum is op de eerste vrijdag gratis toegankelijk.
""",
    ("B", "de"): """\
Fähre zur Insel fährt um sieben Uhr am Morgen ab.
Bitte das Fenster schließen, bevor Sie den Raum verlassen.
Der Nachbar hat ein zweites Fahrrad gekauft.
Der Report wurde zwei Tage später als geplant publiziert.
Sie fragte, ob die Bücherei sonntags geöffnet ist.
Niemand weiß, warum das Licht gestern ausgegangen ist.
Bäckerei an der Ecke verkauft Brot ohne das Salz.
Wir benötigen drei Exemplare des signierten Vertrags.
Seit Anfang des Monats regnet es.
Die Kinder malten den alten Zaun grün und weiß.
Er hat den Regenschirm im Zug nach Hannover gelassen.
Das Museum hat am ersten Freitag freien Eintritt.
""",
    ("B", "nl"): """\
De veerboot naar het eiland vertrekt om zeven uur 's ochtends.
Sluit het raam voordat u de kamer verlaat.
Onze buurman heeft tweedehands fiets gekocht.
Het rapport werd twee dagen later dan gepland gepubliceerd.
Ze vroeg of de bibliotheek aan zondag open is.
Niemand weet waarom het licht gisteravond uitviel.
De bakkerij aan de hoek verkoopt brood zonder zout.
We hebben drie exemplaren van het ondertekende contract nodig.
Het regent sinds het begin van de maand.
De kinderen verfden het oude hek groen en wit.
Hij vergat zijn paraplu in de trein naar Hannover.
Het museum is aan de eerste vrijdag gratis toegankelijk.
""",
}
SOURCE = """\
The ferry to the island leaves at seven in the morning.
Please close the window before you leave the room.
Our neighbour has bought a second-hand bicycle.
The report was published two days later than planned.
She asked whether the library is open on Sundays.
No one knows why the lights went out last night.
The bakery on the corner sells bread without salt.
We need three copies of the signed contract.
It has been raining since the beginning of the month.
The children painted the old fence green and white.
He forgot his umbrella on the train to Hanover.
The museum offers free admission on the first Friday.
"""
#: Language -> system -> `sacrebleu ref.LANGUAGE.txt -i SYSTEM.LANGUAGE.txt -b -w 2`.
SCORES = {"de": {"A": 69.96, "B": 52.58}, "nl": {"A": 81.33, "B": 89.24}}


def in_layout(reference: str, system: str, codes: tuple[str, str] = ("de", "nl")) -> dict[str, str]:
    """Return the files with these names, in which {code} and {name} stand for the language and the system."""
    code_of = {"de": codes[0], "nl": codes[1]}
    return {
        (reference if name == "ref" else system).format(code=code_of[language], name=name): text
        for (name, language), text in TEXTS.items()
    }
