/** Path parameters that are text. All others are row IDs and end in `Id`. */
const TEXT_PARAMETERS = {
  customerId: "The customer's `click_id`",
  eventId: 'Event ID, as in the list of events',
  eventType: '`click`, `lead` or `sale`',
  file: 'File name',
  hash: 'Hash of the image, part of `logoUrl`',
  invitationId: 'Invitation ID, the last part of the invitation link',
  keyId: 'API key ID: the part of the key between `trk_` and the next underscore',
  memberId: 'Member ID',
  processor: 'Name of the payment processor, as in the list of processors',
  workspaceId: 'Workspace ID',
}

/** Row IDs whose name does not say enough. `{groupId}` is described as "Group ID". */
const ROW_ID_DESCRIPTIONS: Record<string, string> = {
  programId: 'Program ID, shown in the program settings',
  lineId: 'Payout line ID',
  draftId: 'Payout draft ID',
  viewId: 'ID of the saved view',
  endpointId: 'Webhook endpoint ID',
  deliveryId: 'Webhook delivery ID',
}

/** The type of a path parameter. */
export type Parameter<Name> = Name extends keyof typeof TEXT_PARAMETERS
  ? string
  : Name extends `${string}Id`
    ? number
    : never

/** The parameters of a path: `{ programId: number; keyId: string }`. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: Parameter<Name> } & PathParameters<Rest>
  : unknown

export const isRowId = (name: string) => !(name in TEXT_PARAMETERS)

export const describeParameter = (name: string) => {
  const texts: Record<string, string> = TEXT_PARAMETERS
  const description = texts[name] ?? ROW_ID_DESCRIPTIONS[name]
  if (description) return description
  if (!name.endsWith('Id'))
    throw new Error(`Add {${name}} to TEXT_PARAMETERS in packages/contract/src/openapi/parameters.ts`)
  const words = name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ID`
}
