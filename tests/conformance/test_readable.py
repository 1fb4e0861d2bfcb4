"""Every real file in text or tables is read as before there were limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from bleu_core.formats import FileRole, read, recognise

#: Role, segments, tokens and ratings found in each file.
READ: dict[str, tuple[FileRole, int, int, int]] = {
    "formats/appraise-csv/esa.first200.csv": ("judgments", 0, 0, 164),
    "formats/appraise-csv/mqm.first200.csv": ("judgments", 0, 0, 164),
    "formats/appraise-csv/regression.direct.scores.csv": ("judgments", 8, 0, 9),
    "formats/appraise-csv/regression.pairwise_document.scores.csv": ("judgments", 0, 0, 16),
    "formats/appraise-csv/regression.pairwise_errors.scores.csv": ("judgments", 6, 0, 13),
    "formats/google-mqm-tsv/mqm_ted_ende.first100.tsv": ("judgments", 7, 0, 92),
    "formats/google-mqm-tsv/mqm_ted_zhen.avg_seg_scores.first600.tsv": ("judgments", 370, 0, 370),
    "formats/google-mqm-tsv/mqm_ted_zhen.first300.tsv": ("judgments", 15, 0, 218),
    "formats/google-mqm-tsv/sxs_mqm_generalMT2023_ende.first40.tsv": ("judgments", 2, 0, 32),
    "formats/mt-metrics-eval/wmt23/documents/en-de.docs": ("system", 557, 1114, 0),
    "formats/mt-metrics-eval/wmt23/human-scores/en-de.da-sqm.seg.score": ("judgments", 549, 0, 2745),
    "formats/mt-metrics-eval/wmt23/human-scores/en-de.da-sqm.sys.score": ("judgments", 0, 0, 5),
    "formats/mt-metrics-eval/wmt23/human-scores/en-de.mqm.seg.score": ("judgments", 460, 0, 2300),
    "formats/mt-metrics-eval/wmt23/human-scores/en-de.mqm.sys.score": ("judgments", 0, 0, 5),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/BLEU-refA.domain.score": ("scores", 0, 0, 20),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/BLEU-refA.seg.score": ("scores", 557, 0, 2785),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/BLEU-refA.sys.score": ("scores", 0, 0, 5),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/BLEU-synthetic_ref.domain.score": ("scores", 0, 0, 20),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/BLEU-synthetic_ref.seg.score": ("scores", 557, 0, 2785),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/BLEU-synthetic_ref.sys.score": ("scores", 0, 0, 5),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/chrF-refA.domain.score": ("scores", 0, 0, 20),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/chrF-refA.seg.score": ("scores", 557, 0, 2785),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/chrF-refA.sys.score": ("scores", 0, 0, 5),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/chrF-synthetic_ref.domain.score": ("scores", 0, 0, 20),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/chrF-synthetic_ref.seg.score": ("scores", 557, 0, 2785),
    "formats/mt-metrics-eval/wmt23/metric-scores/en-de/chrF-synthetic_ref.sys.score": ("scores", 0, 0, 5),
    "formats/mt-metrics-eval/wmt23/references/en-de.refA.txt": ("system", 557, 34625, 0),
    "formats/mt-metrics-eval/wmt23/references/en-de.synthetic_ref.txt": ("reference", 557, 34198, 0),
    "formats/mt-metrics-eval/wmt23/sources/en-de.txt": ("system", 557, 34711, 0),
    "formats/mt-metrics-eval/wmt23/system-outputs/en-de/AIRC.txt": ("system", 557, 27933, 0),
    "formats/mt-metrics-eval/wmt23/system-outputs/en-de/GPT4-5shot.txt": ("system", 557, 34155, 0),
    "formats/mt-metrics-eval/wmt23/system-outputs/en-de/NLLB_Greedy.txt": ("system", 557, 28501, 0),
    "formats/mt-metrics-eval/wmt23/system-outputs/en-de/ONLINE-W.txt": ("system", 557, 34749, 0),
    "formats/mt-metrics-eval/wmt23/system-outputs/en-de/refA.txt": ("reference", 557, 34625, 0),
    "formats/mt-metrics-eval/wmt23/system-outputs/en-de/synthetic_ref.txt": ("reference", 557, 34198, 0),
    "formats/pearmut/contrastive.jsonl": ("judgments", 0, 0, 6),
    "formats/wmt-da-toen/ad-ruen-good-stnd-redup.first200.csv": ("judgments", 146, 0, 166),
    "formats/wmt-da-toen/ad-seg-scores-ru-en.first200.csv": ("judgments", 200, 0, 200),
    "newstest2020-ruen-2sys/refs/ref.A.txt": ("reference", 400, 6958, 0),
    "newstest2020-ruen-2sys/source.txt": ("source", 400, 5604, 0),
    "newstest2020-ruen-2sys/systems/Online-A.txt": ("system", 400, 7086, 0),
    "newstest2020-ruen-2sys/systems/Online-B.txt": ("system", 400, 7176, 0),
    "ted-zhen/docs.txt": ("document", 529, 529, 0),
    "ted-zhen/human.csv": ("judgments", 529, 0, 7935),
    "ted-zhen/refs/ref.A.txt": ("reference", 529, 8821, 0),
    "ted-zhen/refs/ref.B.txt": ("reference", 529, 8885, 0),
    "ted-zhen/segments.tsv": ("system", 529, 529, 0),
    "ted-zhen/source.txt": ("source", 529, 1006, 0),
    "ted-zhen/systems/Borderline.txt": ("system", 529, 8573, 0),
    "ted-zhen/systems/DIDI-NLP.txt": ("system", 529, 8784, 0),
    "ted-zhen/systems/Facebook-AI.txt": ("system", 529, 8694, 0),
    "ted-zhen/systems/IIE-MT.txt": ("system", 529, 8837, 0),
    "ted-zhen/systems/MiSS.txt": ("system", 529, 8527, 0),
    "ted-zhen/systems/NiuTrans.txt": ("system", 529, 8764, 0),
    "ted-zhen/systems/Online-W.txt": ("system", 529, 8808, 0),
    "ted-zhen/systems/SMU.txt": ("system", 529, 8650, 0),
    "ted-zhen/systems/metricsystem1.txt": ("system", 529, 8449, 0),
    "ted-zhen/systems/metricsystem2.txt": ("system", 529, 8763, 0),
    "ted-zhen/systems/metricsystem3.txt": ("system", 529, 8598, 0),
    "ted-zhen/systems/metricsystem4.txt": ("system", 529, 8491, 0),
    "ted-zhen/systems/metricsystem5.txt": ("system", 529, 8638, 0),
    "ted-zhen/systems/ref.A.txt": ("reference", 529, 8821, 0),
    "ted-zhen/systems/ref.B.txt": ("reference", 529, 8885, 0),
    "ted-zhen/systems.csv": ("system", 15, 15, 0),
    "wmt23-ende-3raters/docs.txt": ("document", 104, 104, 0),
    "wmt23-ende-3raters/human.csv": ("judgments", 104, 0, 3120),
    "wmt23-ende-3raters/refs/ref.A.txt": ("reference", 104, 7572, 0),
    "wmt23-ende-3raters/refs/synthetic_ref.txt": ("reference", 104, 7381, 0),
    "wmt23-ende-3raters/segments.tsv": ("system", 104, 104, 0),
    "wmt23-ende-3raters/source.txt": ("source", 104, 7479, 0),
    "wmt23-ende-3raters/systems/GPT4-5shot_with_ONLINE-W.txt": ("system", 104, 7536, 0),
    "wmt23-ende-3raters/systems/GPT4-5shot_with_refA.txt": ("system", 104, 7536, 0),
    "wmt23-ende-3raters/systems/Lan-BridgeMT.txt": ("system", 104, 7235, 0),
    "wmt23-ende-3raters/systems/NLLB_MBR_BLEU.txt": ("system", 104, 6251, 0),
    "wmt23-ende-3raters/systems/ONLINE-A.txt": ("system", 104, 7537, 0),
    "wmt23-ende-3raters/systems/ONLINE-G.txt": ("system", 104, 7379, 0),
    "wmt23-ende-3raters/systems/ONLINE-M.txt": ("system", 104, 7297, 0),
    "wmt23-ende-3raters/systems/ONLINE-W.txt": ("system", 104, 7599, 0),
    "wmt23-ende-3raters/systems/ONLINE-Y.txt": ("system", 104, 7511, 0),
    "wmt23-ende-3raters/systems/ref.A.txt": ("reference", 104, 7572, 0),
    "wmt23-ende-3raters/systems.csv": ("system", 10, 10, 0),
}


@pytest.mark.parametrize("name", READ)
def test_a_real_file_is_read_as_before_there_were_limits(folder: Path, name: str) -> None:
    path = folder / "data" / name
    data = path.read_bytes()
    report = read(data, path.name, recognise(data, path.name)).report
    assert (report.role, report.segments, report.tokens, report.ratings) == READ[name]
