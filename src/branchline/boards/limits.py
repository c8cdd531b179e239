"""How big a board may be. The rules keep a game in one record of fixed size; these numbers are its walls."""

MAX_SEATS = 5
MAX_PLACES = 120
MAX_ROUTES = 240
MAX_LINES = 3  # parallel routes between the same two places
MAX_LENGTH = 9  # spaces of a route; also the price of a subway or a station
MAX_COLOURS = 8

MAX_DECK = 240  # cards of one deck
MAX_EACH = 60  # cards of one kind: of one colour, or wild
MAX_MARKET = 8  # cards lying face up

MAX_TICKETS = 180
MAX_TICKET_DECKS = 2
MAX_OFFER = 6  # tickets in one draw
MAX_TOUR = 8  # places on one tour

MAX_PIECES = 120  # pieces of one seat, both kinds together
MAX_STATIONS = 4  # of one seat
MAX_PORTS = 4  # of one seat
MAX_PORT_TICKETS = 8  # entries in the table of port points
MAX_PASSENGERS = 8  # colours of passengers
MAX_STANDING = 20  # passengers at one place

MAX_TURNED = 6  # cards turned at a tunnel
MAX_EXTRA_TURNS = 5
MAX_POINTS = 200  # any single value, plus or minus

# What is read at all, before anything is understood.
MAX_FILE_BYTES = 2_000_000
MAX_TOML_BYTES = 100_000
MAX_LINE = 1_000  # letters in one line of TOML
MAX_NAME = 40  # letters in a place's name

ID = r"[a-z][a-z0-9_-]*"
LONGEST_ID = 32
"""What the id of a board looks like."""
LONGEST_TITLE = 60
