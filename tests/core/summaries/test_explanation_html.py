from html.parser import HTMLParser

from laconic.models import TextClassifier

TEXTS = ["broken <b>lamp", "broken bench", "kind thanks", "thanks again"]


class Balanced(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(page):
    found = Balanced()
    found.feed(page)
    assert found.open == []
    return found


def test_a_notebook_shows_the_text_with_its_words_marked_and_escaped():
    model = TextClassifier().fit(TEXTS, ["<i>repair</i>", "<i>repair</i>", "praise", "praise"])
    why = model.explain("The <script>lamp</script> is broken. Thanks & so on.")
    page = why._repr_html_()
    assert set(parsed(page).seen) == {"div", "span", "b"}
    assert "&lt;script&gt;" in page
    assert "<b>&lt;i&gt;repair&lt;/i&gt;</b>" in page
    assert page.count("border-bottom:2px solid") >= 1
    assert page.count("border-bottom:2px dashed") == 1
    assert len(why.sentences) == 2
    assert "text" not in why.to_dict()


def test_a_list_of_tokens_shows_its_words():
    model = TextClassifier(analyzer="tokens").fit([["a<"], ["b"]], ["x", "y"])
    page = model.explain(["a<"])._repr_html_()
    parsed(page)
    assert "a&lt;" in page
