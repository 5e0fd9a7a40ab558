"""What the offers' phase answers."""

from typing import Final

from engine.negotiation import recovery
from engine.negotiation.commands import CorrectOffer, OfferHelp, RecordOffer, RecordSubnet
from engine.negotiation.drafting import Rows
from engine.negotiation.offers import collecting, volunteers
from engine.negotiation.offers.offers import OFFERS

ROWS: Final = Rows(
    handlers={
        RecordOffer: collecting.twin_offer,
        CorrectOffer: collecting.correct_offer,
        RecordSubnet: collecting.subnet_ended,
        OfferHelp: volunteers.offer_help,
    },
    alarms={OFFERS: recovery.offers_due},
)
