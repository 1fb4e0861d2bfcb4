"""Classification of column headers, in ten languages and with additions: refA, Reference (EN)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal

from bleu_core.formats.cells import normal_header

#: What a header says of its column: the source, a reference or a document; a translation by a system that it does not
#: name (output); the number of a row or segment (number); the name of a system (system); neither text nor these
#: (other).
HeaderKind = Literal["source", "reference", "document", "output", "number", "system", "other"]

#: Words for each kind: English, German, French, Spanish, Portuguese, Italian, Russian, Chinese, Japanese, Czech.
_WORDS: dict[HeaderKind, str] = {
    "reference": """
        ref refs reference references referenz referenzen referenzübersetzung referenztext référence références
        referencia referencias referência referências riferimento riferimenti эталон эталонный эталонного референс
        референсный 参考译文 参考 参考翻译 参照訳 参照 参照翻訳 参考訳 リファレンス referenční""",
    "source": """
        source src sources input inputs quelle quelltext quellsatz quellsegment ausgangstext original originaltext
        originale originel origine fuente origen fonte orig sorgente источник исходный исходник оригинал исходное
        源文 原文 源 源语 源句 ソース 原文テキスト zdroj zdrojový zdrojová originál původní""",
    "document": """
        document doc docs documents docid documentid dokument documento documentos documenti документ 文档 文件 文書
        ドキュメント dokumentu""",
    "output": """
        target tgt translation translations translated mt machine hypothesis hypotheses hyp prediction predictions
        predicted predict pred preds candidate output outputs response responses generated generation text hypo
        übersetzung maschinenübersetzung ausgabe hypothese zieltext ziel zielsatz maschinelle traduction hypothèse
        sortie cible traducción traduccion hipótesis salida destino traducida tradução traducao hipótese saída
        alvo automatic automatica automatique automatische automatický strojovy traduzione ipotesi uscita перевод
        гипотеза вывод машинный 译文 翻译 机器翻译 假设 输出 目标 機械翻訳 翻訳 訳文 訳 仮説 出力 překlad hypotéza
        výstup cíl strojový""",
    "number": """
        segment seg segid line id index idx row nr num number item zeile nummer satznummer ligne numéro número
        numero línea fila linha riga segmento номер строка сегмент 序号 行号 编号 句段 段 番号 行 行番号 セグメント
        číslo řádek""",
    "system": """
        system systems sys systemid systemname model engine système systeme modèle sistema modelo modello motor
        система модель 系统 模型 システム モデル systém""",
    "other": """
        score scores rating ratings grade da raw z zscore lang language lp langs langpair domain genre topic
        category label comment comments note notes remark remarks annotator annotators judge rater raters worker
        user reviewer year date time timestamp duration url link video screenshot image audio file filename path
        severity error errors span spans metric bleu chrf comet ter mqm esa sqm length len count words tokens
        characters chars status state flag ok checked approved instruction instructions prompt metadata meta
        transcript explanation difficulty split license testset guid uid hash licence collection subset messages
        reason reasons reasoning rationale feedback grader provider question questions query context contexts bewertung
        punktzahl punkte kommentar anmerkung anmerkungen bemerkung sprache sprachpaar datum zeit domäne thema
        bewerter prüfer länge commentaire commentaires remarque langue évaluation annotateur domaine comentario
        comentarios puntuación puntuacion nota idioma fecha dominio evaluador tema comentário comentários pontuação
        avaliação avaliador língua domínio commento commenti punteggio valutazione lingua valutatore оценка балл
        баллы комментарий комментарии примечание язык дата домен тема 评分 分数 得分 备注 注释 评论 语言 日期 领域
        链接 コメント 備考 スコア 評価 言語 日付 分野 hodnocení skóre poznámka komentář jazyk doména téma hodnotitel""",
}
#: Words of these that decide whatever else the header says: a "GPT score" is not text.
_DECIDING = """
    score scores rating ratings comment comments lang language langs lp url id annotator annotators timestamp date
    notes bewertung punktzahl kommentar anmerkung sprache datum commentaire commentaires langue puntuación
    comentario idioma pontuação comentário punteggio commento lingua оценка комментарий язык дата 评分 分数 备注
    语言 日期 コメント 備考 スコア 言語 日付 hodnocení skóre poznámka komentář jazyk"""
#: Words that may accompany the others without changing the meaning.
_NEUTRAL = """
    text texts sentence segment string column human post edited the of a der die das le la il el o de du des do da
    del satz spalte phrase oración oracion frase frases texte texto testo текст предложение 文本 文 句子 テキスト
    věta v ver version name translation translated übersetzung traduction traducción tradução traduzione перевод
    překlad 译文 訳 translator übersetzer gold"""
#: Codes and names of languages.
_LANGUAGES = """
    ar bg bn ca cs da de el en es et fa fi fr gu ha he hi hr hu id is it ja ka kk km ko lt lv ml mr ms nl no pa pl
    ps pt ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh zu bho mas hsb dsb eng deu ger fra fre spa por ita rus
    zho chi jpn ces cze us gb at br cn tw hk mx ch hans hant latn cyrl english german french spanish portuguese
    italian russian chinese japanese czech arabic korean dutch polish turkish ukrainian hindi icelandic finnish
    estonian swedish deutsch englisch französisch spanisch portugiesisch italienisch russisch chinesisch japanisch
    tschechisch anglais allemand français espagnol portugais italien russe chinois japonais tchèque inglés alemán
    francés español portugués italiano ruso chino japonés checo inglês alemão francês espanhol português russo
    chinês japonês tcheco inglese tedesco francese spagnolo portoghese cinese giapponese ceco английский немецкий
    французский испанский португальский итальянский русский китайский японский чешский 英语 英文 英 德语 德文 德
    法语 西班牙语 中文 汉语 日语 俄语 英語 独語 独 ドイツ語 日本語 日 中国語 中 anglicky německy česky angličtina
    němčina čeština anglický německý český"""

#: Headers that mean something else than their words: a column called system has outputs, unless others have texts.
_WHOLE: Mapping[str, HeaderKind] = {"doc_seg": "number", "mtme_line": "number", "system": "output"}
#: Roles that headers give, whatever the cells are, and the kinds of headers whose columns are or identify texts.
HEADED_ROLES: tuple[Literal["source", "reference", "document"], ...] = ("source", "reference", "document")
TEXT_KINDS: tuple[HeaderKind, ...] = (*HEADED_ROLES, "output")
#: Words for a translation that is not a system's, and not declared as a reference.
_HUMAN = frozenset(
    {
        *("human", "post", "edit", "edited", "postedit", "postedited", "pe", "gold", "golden", "translator"),
        *("ubersetzer", "expected", "ideal", "correct", "truth"),
    }
)
#: Words for the right answer of a task as well as for that of a system.
_ANSWERS = frozenset({"target", "tgt", "answer", "answers", "label", "labels", "translation", "ziel"})
#: The provider of a model in brackets, before the prompt, as promptfoo writes it: [openai:gpt-4o] Translate.
_PROVIDER = re.compile(r"\[([^\[\]]++)\]\s++\S")
#: Words and single letters of any script, and separate numbers.
_TOKENS = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-z\u0430-\u044f\u00df-\u00ff])(?=[A-Z\u0410-\u042f\u00c0-\u00de])|(?<=[A-Z])(?=[A-Z][a-z])")
#: Text in brackets, and what separates the word of a kind from a name.
_IN_BRACKETS = re.compile(r"[(\[\uff08]([^()\[\]\uff08\uff09]++)[)\]\uff09]")
_BETWEEN = re.compile(r"(?:(?<!\s)\s++)?+[:|/–—]\s*+|(?<!\s)\s++-\s++|_")
#: Scripts without spaces between words. Ranges this wide take milliseconds to compile: at first use.
_UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"


def classify_header(header: str) -> HeaderKind | None:
    """Return what a header says of its column; None if it has no known word.

    >>> classify_header("Reference (EN)"), classify_header("refs.refA.ref"), classify_header("DeepX")
    ('reference', 'reference', None)
    """
    if provider_of(header):
        return "output"
    if (whole := _WHOLE.get(normal_header(header))) is not None:
        return whole
    tokens = _tokens(header)
    known = [_kinds().get(token) for token in tokens]
    kinds = {kind for kind in known if kind is not None}
    if any(token in _deciding() for token in tokens) and (None not in known or tokens[-1] in _deciding()):
        named: tuple[HeaderKind, ...] = ("document", "system", "number")
        return "other" if tokens[-1] != "id" else next(kind for kind in named if kind in kinds or kind == "number")
    unknown = [t for t, k in zip(tokens, known, strict=True) if k is None and not _is_neutral(t)]
    if "reference" in kinds and (known[0] == "reference" or not unknown):
        return "other" if "other" in kinds else "reference"
    if unknown or not kinds or (kinds == {"output"} and _HUMAN.intersection(tokens)):
        return None
    return next(kind for kind in _ORDER if kind in kinds)


#: Kinds of which a table may have several columns, so that each needs a name.
NAMED_KINDS: frozenset[HeaderKind] = frozenset({"output", "reference"})


def probable_kind(header: str) -> tuple[HeaderKind | None, str]:
    """Return the probable kind of a header with other words, and the name in these words, for the user to confirm.

    >>> probable_kind("Translation (Supplier Alpha)"), probable_kind("MT: Beta 2"), probable_kind("Gold *")
    (('output', 'Supplier Alpha'), ('output', 'Beta 2'), (None, ''))
    """
    if provider := provider_of(header):
        return "output", provider
    kinds = _kinds()
    known: HeaderKind | None = next((kinds[token] for token in _tokens(header) if token in kinds), None)
    kind = classify_header(header) or known
    if kind is None or kind not in NAMED_KINDS:
        return kind, ""
    bracketed = _IN_BRACKETS.search(header)
    parts = [bracketed[1]] if bracketed else _BETWEEN.split(header)
    names = [part.strip() for part in parts if any(not _is_known(t) and not _is_neutral(t) for t in _tokens(part))]
    return kind, names[0] if len(names) == 1 and (bracketed or len(parts) > 1) else ""


def provider_of(header: str) -> str:
    """Return the provider whose outputs a column has, from a header in the form of promptfoo; empty for others.

    >>> provider_of("[openai:gpt-4o] Translate: {{input}}"), provider_of("[1] notes")
    ('openai:gpt-4o', '')
    """
    match = _PROVIDER.match(header)
    return "" if match is None or not re.search(r"[^\W\d_]{2}", match[1]) else match[1].strip()


def may_be_reference(header: str, *, beside_outputs: bool) -> bool:
    """Return whether a header may be that of a reference although it does not say so.

    Args:
        header: the header.
        beside_outputs: whether the table has other columns that may be outputs, so that an answer may be the right one.

    >>> [may_be_reference("Target", beside_outputs=others) for others in (True, False)]
    [True, False]
    """
    words = _HUMAN | _ANSWERS if beside_outputs else _HUMAN
    return not words.isdisjoint(_tokens(header))


def are_numbered(headers: Sequence[str]) -> bool:
    """Return whether headers differ in numbers, letters or names only, so that their columns are of one kind.

    >>> are_numbered(["refA", "refB"]), are_numbered(["Reference", "Ref"]), are_numbered(["ref.de", "ref.fr"])
    (True, False, False)
    """
    if all(map(provider_of, headers)):
        return True
    tokens = [_tokens(header) for header in headers]
    kinds = _kinds()
    words = {tuple(t for t in each if t in kinds) for each in tokens}
    others = [tuple(t for t in each if t not in kinds) for each in tokens]
    languages = {tuple(t for t in each if t in _languages()) for each in others}
    named = sum(any(not _is_neutral(t) for t in each) for each in others)
    return len(words) == len(languages) == 1 and len(set(others)) == len(headers) and named in (0, len(headers))


#: Priority of the kinds in one header: a "reference translation" is a reference.
_ORDER: tuple[HeaderKind, ...] = ("other", "reference", "source", "document", "output", "number", "system")


def is_language_header(header: str) -> bool:
    """Return whether a header names a language, also with a word for translation: "de", "translation.de", "English"."""
    tokens = _tokens(header)
    languages = [token for token in tokens if token in _languages()]
    return bool(languages) and all(
        token in _languages() or _kinds().get(token) == "output" or _is_neutral(token) for token in tokens
    )


def is_plain_kind(header: str) -> bool:
    """Return whether a header has only words of a kind and languages: "MT (EN)", but not "MT 2" or "MT A"."""
    return not any(len(t) == 1 or t.isdigit() for t in _tokens(header) if t not in _kinds())


def fold_text(text: str) -> str:
    """Return a text in lower case, without accents and differences of width."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))


def _is_neutral(token: str) -> bool:
    return token in _neutral() or token in _languages() or token.isdigit() or len(token) == 1


def _tokens(header: str) -> list[str]:
    """Split a header into words; in scripts without spaces, into known words."""
    tokens: list[str] = []
    for token in _TOKENS.findall(_CAMEL.sub(" ", unicodedata.normalize("NFKC", header))):
        word = fold_text(token)
        tokens += _divided(word) if re.search(_UNSPACED, word) else [word]
    return tokens


def _divided(word: str) -> list[str]:
    parts: list[str] = []
    at = 0
    while at < len(word):
        size = next(
            (n for n in range(min(len(word) - at, 8), 0, -1) if _is_known(word[at : at + n])),
            len(word) - at,
        )
        parts.append(word[at : at + size])
        at += size
    return parts


def _is_known(word: str) -> bool:
    return word in _kinds() or word in _neutral() or word in _languages()


def _words(text: str) -> Iterable[str]:
    return (fold_text(word) for word in text.split())


@cache
def _kinds() -> Mapping[str, HeaderKind]:
    kinds: dict[str, HeaderKind] = {}
    for kind, words in _WORDS.items():
        for word in _words(words):
            kinds.setdefault(word, kind)
    return kinds


@cache
def _deciding() -> frozenset[str]:
    return frozenset(_words(_DECIDING))


@cache
def _neutral() -> frozenset[str]:
    return frozenset(_words(_NEUTRAL))


@cache
def _languages() -> frozenset[str]:
    return frozenset(_words(_LANGUAGES))
