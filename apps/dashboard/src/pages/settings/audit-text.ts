import type { AuditEntry } from '@tributary/contract'
import { actionWords } from '@tributary/contract/audit-words'
import { capitalize } from '~/components/format/labels.ts'

/** The member who made the change, marked if they acted as a partner in the portal. */
export const actorName = ({ userName, byPartner }: Pick<AuditEntry, 'userName' | 'byPartner'>) => {
  if (userName === null) return 'Tributary'
  return byPartner ? `${userName} (partner)` : userName
}

export const actionName = (entry: AuditEntry) => capitalize(actionWords(entry))

/** The subject with its ID. Names can change and are not unique. */
export const subjectId = (subject: string) => capitalize(subject.replace(/^payout line /, 'payment '))

type Named = Pick<AuditEntry, 'subject' | 'subjectName' | 'partnerName'>

/** Uses names instead of IDs: "Reward terms of Maya Lindqvist", not "Reward terms of partner 12". */
export const subjectName = ({ subject, subjectName: name, partnerName }: Named) => {
  if (name !== null) return capitalize(subject.replace(/(?<=^API key ).+$|\d+$/, () => name))
  if (partnerName === null) return subjectId(subject)
  const [before] = subject.split(/(?:partner|payout line) \d+$/)
  // Never change the case of a person's name.
  if (before === '') return partnerName
  return capitalize(before === subject ? `${subject} of ${partnerName}` : `${before}${partnerName}`)
}
