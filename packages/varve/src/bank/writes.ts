import { plain, timed } from '../storage/offer.ts'
import { clearInTurns, correct, deleteInTurns, pin, rebuildInTurns } from './change-bank.ts'

/** What can be changed of banks. */
export const bankWrites = { pin: plain(pin), correct: timed(correct), delete: deleteInTurns, clear: clearInTurns, rebuild: rebuildInTurns }
