"""What the offline model says in a deliberation exists in both languages, with the same values in it."""

import re
from string import Formatter

import pytest

from engine.deliberation.check_texts import TEXTS
from engine.facts.language import language_of
from engine.offline.deliberation.phrasing import phrases
from engine.offline.deliberation.stages import kinds

PHRASES = {**phrases(), **TEXTS}


@pytest.mark.parametrize("key", sorted(PHRASES))
def test_a_phrase_has_the_same_values_in_both_languages(key: str) -> None:
    said = PHRASES[key]
    assert set(said) == {"zh", "en"}
    names = [{name for _, name, _, _ in Formatter().parse(said[language]) if name} for language in ("en", "zh")]
    assert names[0] == names[1]
    if re.search(r"[\u4e00-\u9fff]", said["zh"]):
        assert language_of(said["en"]) == "en"


@pytest.mark.parametrize("kind", kinds(), ids=lambda each: each.name)
def test_a_kind_of_plan_is_told_in_both_languages_and_its_tasks_wait_only_for_its_own(kind: object) -> None:
    stages = [stage for phase in kind.phases for stage in phase.stages]  # type: ignore[attr-defined]
    ids = [each.task_id for each in stages]
    assert len({*ids}) == len(ids)
    assert sum("event" in each.tags for each in stages) == 1
    for stage in stages:
        assert {*stage.after} <= {*ids[: ids.index(stage.task_id)]}
        for words in (stage.title, stage.output, stage.accept):
            assert (language_of(words["en"]), language_of(words["zh"])) == ("en", "zh")
