import type { AuditEntry } from '~/api/audit.ts'

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Who made the change, and whether as a partner in the portal. */
export const byWhom = ({ userName, byPartner }: Pick<AuditEntry, 'userName' | 'byPartner'>) => {
  if (userName === null) return 'Tributary'
  return byPartner ? `${userName} (partner)` : userName
}

/** What was changed as people call it: not "Reward of partner 12" but "Reward of Maya Lindqvist". */
export const ofWhat = ({ subject, partnerName }: Pick<AuditEntry, 'subject' | 'partnerName'>) => {
  if (partnerName === null) return capital(subject)
  const [before] = subject.split(/partner \d+$/)
  // Nobody's name is spelled otherwise than they spell it.
  if (before === '') return partnerName
  return capital(before === subject ? `${subject} of ${partnerName}` : `${before}${partnerName}`)
}
