import { plain, timed } from '../storage/offer.ts'
import { clearInTurns, correct, deleteInTurns, pin, rebuildInTurns } from './change-bank.ts'

/** The writes of banks. */
export const bankWrites = { pin: plain(pin), correct: timed(correct), delete: deleteInTurns, clear: clearInTurns, rebuild: rebuildInTurns }
