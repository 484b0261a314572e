from laconic import data as data
from laconic.core.edits import Edits as Edits
from laconic.core.groups import Groups as Groups
from laconic.core.path import Path as Path
from laconic.core.solution import Solution as Solution
from laconic.data.corpus import Corpus as Corpus
from laconic.evaluate.resampling import stability as stability
from laconic.evaluate.tuning import tune as tune
from laconic.groups.brown import BrownGroups as BrownGroups
from laconic.groups.constituents import ConstituentGroups as ConstituentGroups
from laconic.groups.embeddings import EmbeddingGroups as EmbeddingGroups
from laconic.groups.given import GivenGroups as GivenGroups
from laconic.groups.lda import LDAGroups as LDAGroups
from laconic.groups.lsi import LSIGroups as LSIGroups
from laconic.groups.ngrams import NgramGroups as NgramGroups
from laconic.groups.pursuit import PursuitGroups as PursuitGroups
from laconic.groups.sentences import SentenceGroups as SentenceGroups
from laconic.groups.word_graph import WordGraphGroups as WordGraphGroups
from laconic.linear.elastic_net import ElasticNetClassifier as ElasticNetClassifier
from laconic.linear.elastic_net import ElasticNetRegressor as ElasticNetRegressor
from laconic.linear.group_lasso import GroupLassoClassifier as GroupLassoClassifier
from laconic.linear.group_lasso import GroupLassoRegressor as GroupLassoRegressor
from laconic.linear.paths import elastic_net_path as elastic_net_path
from laconic.linear.paths import group_lasso_path as group_lasso_path
from laconic.linear.pursuit import GroupOMPClassifier as GroupOMPClassifier
from laconic.linear.pursuit import GroupOMPRegressor as GroupOMPRegressor
from laconic.linear.pursuit import OMPClassifier as OMPClassifier
from laconic.linear.pursuit import OMPRegressor as OMPRegressor
from laconic.models.group_features import GroupFeatures as GroupFeatures
from laconic.models.scorer import load as load
from laconic.models.table_classifier import TableClassifier as TableClassifier
from laconic.models.text_classifier import TextClassifier as TextClassifier
from laconic.report.summarizing import summarize as summarize
from laconic.structured.dependency_parser import DependencyParser as DependencyParser
from laconic.structured.sequence_tagger import SequenceTagger as SequenceTagger

__version__: str
__all__: list[str]
