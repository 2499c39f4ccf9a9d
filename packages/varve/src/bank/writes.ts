import { plain, receipted, timed } from '../storage/offer.ts'
import { clear, correct, deleteOne, pin, rebuild } from './change-bank.ts'

/** What can be changed of banks. */
export const bankWrites = { pin: plain(pin), correct: timed(correct), delete: receipted(deleteOne), clear: receipted(clear), rebuild: plain(rebuild) }
