"""What the page that counts says by itself, in the browser."""

from __future__ import annotations

from dataclasses import dataclass

from branchline.boards import Board
from branchline.web.core.pages.translation import N_, N_many, Several
from branchline.web.core.visit import Visit


@dataclass(frozen=True)
class CountContext:
    """The page that counts games of real tables: the same for all who read a language."""

    visit: Visit
    boards: tuple[Board, ...]


WORDS: dict[str, str | Several] = {
    "title": N_("Score a game"),
    "player": N_("Player {number}"),
    "player_points": N_many("{name}, {count} point", "{name}, {count} points"),
    "result": N_("Result"),
    "total": N_("Total"),
    "scores": N_("Scores"),
    "points": N_many("{count} point", "{count} points"),
    # the beginning
    "bad_link": N_(
        "This link does not lead to a scoresheet. It may be incomplete, or the scoresheet was deleted in this browser."
    ),
    "unreadable": N_("This file isn’t a valid scoresheet."),
    "unknown_edition": N_("Unknown edition."),
    "no_board": N_("This board isn’t available offline yet. Open the page once while online."),
    "no_engine": N_("The rules could not be loaded. Reload this page."),
    "not_kept": N_(
        "This browser does not store data. Save the scoresheet as a file, or it will be lost when you close the page."
    ),
    "really_delete": N_("Delete this scoresheet for good?"),
    "delete_count": N_("Delete: {title}, {date}"),
    "file_seats": N_("The file must list the seats, at most {most}."),
    "unread": N_("Not understood: {what}"),
    "no_name": N_("Every player needs a name."),
    "same_name": N_("Two players are called {name}."),
    # entering
    "first_hint": N_("Choose a player above, then tap their routes on the map."),
    "shared_count": N_("A scoresheet someone shared with you. Your changes go into your own copy."),
    "added": N_many("{route}, {count} point", "{route}, {count} points"),
    "taken_back": N_("Removed: {route}"),
    "take_back": N_("remove"),
    "remove": N_("Remove: {name}"),
    "entered": N_("Entered"),
    "tap_back": N_("Your entries appear here. Tap one to remove it."),
    "which": N_("Which one?"),
    "none": N_("None of these"),
    "nothing_near": N_("Nothing close enough. Tap the line itself, or zoom in."),
    "type_route": N_("Type a route, such as {route}"),
    "type_stations": N_("City with a station"),
    "type_ports": N_("City with a port"),
    "tap_cities": N_("Tap the cities on the map."),
    "suggestions": N_("Suggestions"),
    "none_found": N_("No matches."),
    "speak": N_("Speak"),
    "not_heard": N_("Sorry, that was not understood. Type it instead."),
    "routes_count": N_many("{count} route", "{count} routes"),
    "left_train": N_many("{count} train left", "{count} trains left"),
    "left_tram": N_many("{count} tram left", "{count} trams left"),
    "left_ship": N_many("{count} ship left", "{count} ships left"),
    "left_subway": N_many("{count} subway car left", "{count} subway cars left"),
    "left_all": N_many("{count} piece left", "{count} pieces left"),
    "search_ticket": N_("Search tickets"),
    "all_tickets": N_("All tickets"),
    "likeliest_first": N_("First the player’s own tickets, then those of cities on their routes."),
    "tickets_count": N_many("{count} ticket", "{count} tickets"),
    "completed_count": N_many("{count} completed", "{count} completed"),
    "done": N_("completed"),
    "not_done": N_("not completed"),
    "done_in_order": N_("completed in order"),
    "in_order": N_("in order"),
    "stations_count": N_("Stations: {count} of {most}."),
    "ports_count": N_("Ports: {count} of {most}."),
    "borrows": N_("borrows {route}"),
    "passengers_hint": N_("How many of each colour? Most: {most} points, second most: {second}."),
    "swaps_hint": N_many("Each piece swapped costs {count} point.", "Each piece swapped costs {count} points."),
    "swapped": N_("Pieces swapped"),
    "fewer": N_("One fewer: {name}"),
    "more": N_("One more: {name}"),
    "of_seat": N_("taken by {name}"),
    "station_of": N_("station of {name}"),
    "port_of": N_("port of {name}"),
    # what is impossible
    "taken": N_("{route} already belongs to {name}. Remove it there first."),
    "twice": N_("{name} already has a line of {route}. No player may own two parallel lines."),
    "pieces": N_("Not possible: {name} would have {count} {pieces} on the board; there are only {most}."),
    "fleet": N_("Not possible: {name} would have {count} pieces on the board; a fleet has only {most}."),
    "ticket_taken": N_("{name} already has the ticket {ticket}. There is only one."),
    "no_stations_here": N_("No station can be built in {place}: it is not a city."),
    "no_ports_here": N_("{place} is not a port city."),
    "stations_taken": N_("The station in {place} belongs to {name}."),
    "ports_taken": N_("The port in {place} belongs to {name}."),
    "most_stations": N_("Not possible: all {most} stations of {name} are already on the board."),
    "most_ports": N_("Not possible: all {most} ports of {name} are already on the board."),
    "passengers": N_("Not possible: that would make {count} {colour} in all, and there are only {most}."),
    # what breaks a rule, and is counted
    "note_one_line": N_many(
        "Against the rules: {count} line of {route} is taken. With {seats} players, only one may be.",
        "Against the rules: {count} lines of {route} are taken. With {seats} players, only one may be.",
    ),
    "note_lonely_port": N_("Against the rules: {name} has a port in {place} but no route to it."),
    "note_given_points": N_("The route points of {name} come from the file, not from the map: {count}"),
    # the result
    "wins": N_("{name} wins!"),
    "win_together": N_("{names} win together!"),
    "why_points": N_many("{count} point.", "{count} points."),
    "why_ahead": N_("On points, {points} to {next}."),
    "why_shared": N_many("A full tie at {count} point.", "A full tie at {count} points."),
    "why_ties": N_many(
        "Tied at {count} point. Tie-breakers: {steps}.", "Tied at {count} points. Tie-breakers: {steps}."
    ),
    "why_level": N_("Still tied, so the victory is shared."),
    "tie_tickets_done": N_("more tickets completed"),
    "tie_fewest_stations": N_("fewer stations built"),
    "tie_longest_trail": N_("the longer trail"),
    "tie_passengers": N_("more passengers"),
    "station_borrows": N_("station in {place}: borrows {route}"),
    "station_idle": N_("station in {place}: borrows nothing"),
    "stations_kept": N_many("{count} station kept", "{count} stations kept"),
    "spaces": N_many("{count} space", "{count} spaces"),
    "done_count": N_many("{count} completed ticket", "{count} completed tickets"),
    "port_tickets": N_many("{place}, {count} ticket", "{place}, {count} tickets"),
    "ports_unbuilt": N_many("{count} port not built", "{count} ports not built"),
    "evening_kept": N_("Saved to your game nights."),
    "evening_waits": N_("Saved in this browser. It will be added to your game nights when you are online again."),
    "evening_refused": N_("This could not be saved:"),
    "copied": N_("Copied."),
    "no_picture": N_("This browser cannot create the picture."),
}
