"""Scikit-learn's usual grid on a file of texts: ``python -m benchmarks.first_run_peer TRAIN TEST OUT``."""

import json
import sys
from pathlib import Path

import numpy as np

GRID = (0.1, 1.0, 10.0, 100.0, 1000.0)
FOLDS, STEPS = 5, 1000


def read(path: str) -> tuple[list[str], list]:
    """Return texts and labels of a file of JSON lines."""
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row["text"] for row in rows], [row["label"] for row in rows]


def scores(labels: list, predicted: list) -> dict[str, float]:
    """Return accuracy (with several labels: of whole lists) and macro F1."""
    from sklearn.metrics import accuracy_score, f1_score
    from sklearn.preprocessing import MultiLabelBinarizer

    if isinstance(labels[0], list):
        codes = MultiLabelBinarizer().fit([*labels, *map(list, predicted)])
        labels, predicted = codes.transform(labels), codes.transform(list(map(list, predicted)))
    return {
        "accuracy": float(accuracy_score(labels, predicted)),
        "macro F1": float(f1_score(labels, predicted, average="macro", zero_division=0)),
    }


def pipeline(C: float = 1.0, several: bool = False):
    """Return tf-idf with sublinear counts and logistic regression, one against the rest for several labels."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.pipeline import make_pipeline

    model = LogisticRegression(C=C, max_iter=STEPS)
    return make_pipeline(TfidfVectorizer(sublinear_tf=True), OneVsRestClassifier(model) if several else model)


def one_label(texts: list[str], labels: list) -> tuple:
    """Return the best model of the grid as a function, its number of words and how many fits did not converge."""
    from sklearn.model_selection import GridSearchCV

    def scored(model, X, y):
        return {"accuracy": model.score(X, y), "capped": float(model[-1].n_iter_.max() >= STEPS)}

    grid = {"logisticregression__C": list(GRID)}
    search = GridSearchCV(pipeline(), grid, cv=FOLDS, n_jobs=2, scoring=scored, refit="accuracy")
    search.fit(texts, labels)
    capped = round(search.cv_results_["mean_test_capped"].sum() * FOLDS)
    return search.predict, len(search.best_estimator_[0].vocabulary_), capped, search.best_params_


def several_labels(texts: list[str], labels: list) -> tuple:
    """Return the same for several labels, with one threshold a label that is best for F1 out of fold."""
    from sklearn.model_selection import cross_val_predict
    from sklearn.preprocessing import MultiLabelBinarizer

    codes = MultiLabelBinarizer()
    Y = codes.fit_transform(labels)
    best = (-1.0, 0.0, np.zeros(Y.shape[1]))
    for C in GRID:
        proba = cross_val_predict(pipeline(C, True), texts, Y, cv=FOLDS, n_jobs=2, method="predict_proba")
        tuned = [best_threshold(Y[:, k], proba[:, k]) for k in range(Y.shape[1])]
        found = float(np.mean([f1 for f1, _ in tuned]))
        best = max(best, (found, C, np.array([threshold for _, threshold in tuned])), key=lambda one: one[0])
    model = pipeline(best[1], True).fit(texts, Y)
    capped = sum(int(one.n_iter_.max() >= STEPS) for one in model[-1].estimators_)

    def predict(new: list[str]) -> list:
        return codes.inverse_transform((model.predict_proba(new) >= best[2]).astype(int))

    return predict, len(model[0].vocabulary_), capped, {"C": best[1]}


def best_threshold(truth: np.ndarray, proba: np.ndarray) -> tuple[float, float]:
    """Return the best F1 over all thresholds, and its threshold."""
    order = np.argsort(-proba, kind="stable")
    hits = np.cumsum(truth[order])
    f1 = 2.0 * hits / (np.arange(1, len(truth) + 1) + truth.sum())
    place = int(f1.argmax())
    return float(f1[place]), float(proba[order][place])


def main(train: str, test: str, out: str) -> None:
    """Search, predict and write the scores."""
    texts, labels = read(train)
    search = several_labels if isinstance(labels[0], list) else one_label
    predict, words, capped, params = search(texts, labels)
    new, truth = read(test)
    found = {**scores(truth, list(predict(new))), "words": words, "note": f"C={next(iter(params.values())):g}"}
    if capped:
        found["note"] += f", {capped} fits not converged"
    Path(out).write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
