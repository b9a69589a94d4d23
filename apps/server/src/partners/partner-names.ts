import type { PartnerStatus } from '@tributary/contract'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import { groupsAt } from './group-changes.ts'
import { contactsOf, statusesOf } from './partners.ts'
import { affsOf } from './referral-links.ts'

const distinct = (ids: (number | null)[]) => [...new Set(ids.filter((id) => id !== null))]

/** Adds the partner's name to rows about money. */
export const withPartnerNames = async <Row extends { partnerId: number }>(
  db: Database | Tx,
  programId: number,
  rows: Row[],
) => {
  const contacts = await contactsOf(db, { programId, ids: distinct(rows.map(({ partnerId }) => partnerId)) })
  return rows.map((row) => {
    const contact = contacts.get(row.partnerId)
    return { ...row, partnerName: contact?.name ?? '', partnerArchived: contact?.archived ?? false }
  })
}

/** Adds the group that the partner was in when they earned the commission. */
export const withGroups = async <Row extends { partnerId: number; earnedAt: Date }>(
  db: Database,
  programId: number,
  rows: Row[],
) => {
  const groups = rows.length > 0 ? await groupsAt(db, { programId, all: rows }) : []
  return rows.map((row, index) => ({ ...row, ...(groups[index] as GroupAt) }))
}

type GroupAt = Awaited<ReturnType<typeof groupsAt>>[number]

/** Adds the partner's name and status to payout lines. */
export const withPartnerStatus = async <Row extends { partnerId: number }>(
  db: Database | Tx,
  programId: number,
  rows: Row[],
) => {
  const statuses = await statusesOf(db, { programId, ids: distinct(rows.map(({ partnerId }) => partnerId)) })
  const named = await withPartnerNames(db, programId, rows)
  return named.map((row) => ({ ...row, partnerStatus: statuses.get(row.partnerId) as PartnerStatus }))
}

type Attributed = { partnerId: number | null; linkId: number | null }

/** Adds the names of partner and link to tracking rows. */
export const withNames = async <Row extends Attributed>(db: Database, programId: number, rows: Row[]) =>
  rows.map(await namesFor(db, programId, rows))

export const withNamesForOne = async <Row extends Attributed>(db: Database, programId: number, row: Row) =>
  (await namesFor(db, programId, [row]))(row)

const namesFor = async (db: Database, programId: number, rows: Attributed[]) => {
  const [contacts, affs] = await Promise.all([
    contactsOf(db, { programId, ids: distinct(rows.map(({ partnerId }) => partnerId)) }),
    affsOf(db, { programId, ids: distinct(rows.map(({ linkId }) => linkId)) }),
  ])
  return <Row extends Attributed>(row: Row) => ({
    ...row,
    partnerName: contacts.get(row.partnerId ?? 0)?.name ?? null,
    partnerArchived: contacts.get(row.partnerId ?? 0)?.archived ?? false,
    aff: affs.get(row.linkId ?? 0) ?? null,
  })
}
