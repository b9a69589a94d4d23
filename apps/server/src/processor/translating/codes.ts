import { codeText } from '@tributary/contract/programs/codes'
import type { ReportedCode } from '../../payments/payment-report.ts'
import type { Translation } from '../translation.ts'

/** What customers enter. Texts that no partner can own are ignored. */
export const codeNamed = (text: unknown): { text: string } | null => {
  const { data } = codeText.safeParse(text)
  return data === undefined ? null : { text: data }
}

/** Absent if there is none. */
export const withCodes = (codes: (ReportedCode | null)[]): { codes?: ReportedCode[] } => {
  const named = codes.filter((code) => code !== null)
  return named.length > 0 ? { codes: named } : {}
}

/** An event that says what an ID stands for; null is a discount without a code. */
export const learnedCode = (id: string | null, text: unknown): Translation => {
  if (!id) return { ignored: 'code_without_text' }
  if (text === null || text === undefined) return { learned: [{ id }] }
  const named = codeNamed(text)
  return named ? { learned: [{ id, ...named }] } : { ignored: 'code_without_text' }
}
