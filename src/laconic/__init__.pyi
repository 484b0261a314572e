from laconic import data as data
from laconic.core.groups import Groups as Groups
from laconic.core.path import Path as Path
from laconic.core.solution import Solution as Solution
from laconic.data.corpus import Corpus as Corpus
from laconic.evaluate.tuning import tune as tune
from laconic.linear.elastic_net import ElasticNetClassifier as ElasticNetClassifier
from laconic.linear.elastic_net import ElasticNetRegressor as ElasticNetRegressor
from laconic.linear.paths import elastic_net_path as elastic_net_path
from laconic.models.scorer import load as load
from laconic.models.text_classifier import TextClassifier as TextClassifier
from laconic.report.summarizing import summarize as summarize

__version__: str
__all__: list[str]
