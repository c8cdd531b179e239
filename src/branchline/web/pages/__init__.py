"""The pages: HTML and sentences made of a context, and of nothing else. Pure functions, text out.

The server calls the functions listed here (see `docs/web.md`); templates are in `templates/`, words in `locale/`.
A page knows no rules: what can be pressed carries the text of its action, and what is legal is read from the context.
"""

from branchline.web.core.pages.app_shell import MANIFEST, OFFLINE, WORKER, manifest, offline, service_worker
from branchline.web.core.pages.fault_text import refusal, told
from branchline.web.core.pages.labels import map_words
from branchline.web.core.pages.translation import LANGUAGES
from branchline.web.count.page import count, count_facts
from branchline.web.dealing.page import deal, deal_door, deal_fragments, deal_news, deal_refusal, deal_start
from branchline.web.evenings.page import evenings
from branchline.web.exercises.page import mistakes, puzzles
from branchline.web.lessons.page import learn
from branchline.web.lobby.page import home, join, message, new, real_table, why_not
from branchline.web.my_games.page import my_games
from branchline.web.notate.page import notate
from branchline.web.notices.page import mail_page, notice_dialog
from branchline.web.printed.page import printed
from branchline.web.replay.analysis_page import analysis, review
from branchline.web.replay.page import replay, replay_fragments, replay_title
from branchline.web.rules.page import rulebooks, rules
from branchline.web.rules.referee_page import referee, referee_parts, route_names
from branchline.web.table.page import fragments, table, title
from branchline.web.table.panels import panel
from branchline.web.workshop.balance_page import balance, balance_parts
from branchline.web.workshop.page import editor, print_words, workshop

__all__ = [
    "LANGUAGES",
    "MANIFEST",
    "OFFLINE",
    "WORKER",
    "analysis",
    "balance",
    "balance_parts",
    "count",
    "count_facts",
    "deal",
    "deal_door",
    "deal_fragments",
    "deal_news",
    "deal_refusal",
    "deal_start",
    "editor",
    "evenings",
    "fragments",
    "home",
    "join",
    "learn",
    "mail_page",
    "manifest",
    "map_words",
    "message",
    "mistakes",
    "my_games",
    "new",
    "notate",
    "notice_dialog",
    "offline",
    "panel",
    "print_words",
    "printed",
    "puzzles",
    "real_table",
    "referee",
    "referee_parts",
    "refusal",
    "replay",
    "replay_fragments",
    "replay_title",
    "review",
    "route_names",
    "rulebooks",
    "rules",
    "service_worker",
    "table",
    "title",
    "told",
    "why_not",
    "workshop",
]
