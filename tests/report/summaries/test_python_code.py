from laconic.models import TextClassifier
from laconic.report.summaries.python_code import python_code

CODE = """\
import laconic

model = laconic.TextClassifier(
    laconic.ElasticNetClassifier(),
    cells='count',
)
model.fit(texts, labels)  # 2 texts and their labels
"""


def test_only_what_differs_from_the_defaults_is_written():
    model = TextClassifier(cells="count").fit(["broken lamp", "kind thanks"], ["repair", "praise"])
    assert python_code(model.to_scorer().info) == CODE


def test_no_code_for_an_estimator_of_another_package():
    assert python_code({"estimator": {"package": "sklearn", "name": "LinearSVC"}}) == ""
