import { type Command, Option } from 'commander'
import { listMembers, putMember, removeMember } from '../../accounts/members.ts'
import { DESCRIPTION_LENGTH, type GivenWords, TITLE_LENGTH } from '../../accounts/organization-words.ts'
import { changeOrganization, createOrganization, deleteOrganization } from '../../accounts/organizations.ts'
import { findUser } from '../../accounts/users.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountRow, LesserRole } from '../../store/port/account-store.ts'
import { CLI_ERRORS } from '../console/errors.ts'
import { operatorSession, ownerSession } from '../console/operator-session.ts'
import { instant, print, printJson, printTable } from '../console/output.ts'
import { type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

interface WordFlags extends DataFlags {
  readonly title?: string
  readonly description?: string
  readonly json?: boolean
}

interface CreateFlags extends WordFlags {
  readonly owner: string
  readonly email?: string
}

interface ListFlags extends DataFlags {
  readonly json?: boolean
}

const ROLES: readonly LesserRole[] = ['administrator', 'member']

/** Adds `quarry organization`: accounts that several users share. */
export function addOrganizationCommand(program: Command): void {
  const organization = program.command('organization').description('Manage accounts that several users share.')

  withDataFlags(organization.command('create'))
    .description('Create an account with members; its owner is the first of them.')
    .argument('<name>', '2 to 64 letters, digits and . _ -')
    .requiredOption('--owner <user>', 'the name or e-mail address of the user who owns it')
    .option('--title <text>', `what people call it, 1 to ${TITLE_LENGTH} characters (default: its name)`)
    .option('--description <text>', `what it is for, up to ${DESCRIPTION_LENGTH} characters`)
    .option('--email <address>', 'where the people behind it can be reached')
    .option('--json', 'print the account as JSON')
    .action(create)

  withDataFlags(organization.command('change'))
    .description('Give an organization another title or description; an empty one takes it away.')
    .argument('<name>', 'the name of the organization')
    .option('--title <text>', `what people call it, 1 to ${TITLE_LENGTH} characters`)
    .option('--description <text>', `what it is for, up to ${DESCRIPTION_LENGTH} characters`)
    .option('--json', 'print the account as JSON')
    .action(change)

  withDataFlags(organization.command('list'))
    .description('List all organizations.')
    .option('--json', 'print the accounts as JSON')
    .action(list)

  withDataFlags(organization.command('members'))
    .description('List who belongs to an organization, the owner first.')
    .argument('<name>', 'the name of the organization')
    .option('--json', 'print the members as JSON')
    .action(members)

  withDataFlags(organization.command('add'))
    .description('Take a user in, or change the role of a member.')
    .argument('<name>', 'the name of the organization')
    .argument('<user>', 'the name or e-mail address of the user')
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES).default('member'))
    .action(add)

  withDataFlags(organization.command('remove'))
    .description('Let a member go, who loses access at once.')
    .argument('<name>', 'the name of the organization')
    .argument('<user>', 'the name or e-mail address of the member')
    .action(remove)

  withDataFlags(organization.command('transfer'))
    .description('Make another member the owner; the owner becomes an administrator.')
    .argument('<name>', 'the name of the organization')
    .argument('<user>', 'the name or e-mail address of the new owner')
    .action(transfer)

  withDataFlags(organization.command('delete'))
    .description('Delete an organization that has no records.')
    .argument('<name>', 'the name of the organization')
    .action(deleteEmpty)
}

async function create(name: string, flags: CreateFlags): Promise<void> {
  const { account } = await withServices(flags, async ({ accounts }) => {
    const owner = await operatorSession(accounts, flags.owner)
    return createOrganization(accounts, owner, { name, email: flags.email ?? null, ...wordsOf(flags) })
  })
  if (flags.json) printJson(presentAccount(account))
  else print(`created organization ${account.name}`)
}

async function change(name: string, flags: WordFlags): Promise<void> {
  const words = wordsOf(flags)
  if (words.title === undefined && words.description === undefined) {
    throw new AppError(CLI_ERRORS.usage, 'Nothing is to be changed.', { hint: 'Give --title or --description.' })
  }
  const { account } = await withServices(flags, async ({ accounts }) => {
    const session = await ownerSession(accounts, name)
    return changeOrganization(accounts, session, { accountId: session.account.id, words })
  })
  if (flags.json) printJson(presentAccount(account))
  else print(`changed organization ${account.name}`)
}

/** An empty text takes away what there is. */
function wordsOf({ title, description }: WordFlags): GivenWords {
  return { title: title === '' ? null : title, description }
}

async function list(flags: ListFlags): Promise<void> {
  const organizations = await withServices(flags, async ({ accounts }) => {
    const all = await accounts.store.listAccounts()
    return all.filter(({ type }) => type === 'organization')
  })
  if (flags.json) return printJson(organizations.map(presentAccount))
  printTable(
    organizations,
    [
      ['ID', (account) => account.id],
      ['NAME', (account) => account.name],
      ['TITLE', (account) => account.title ?? ''],
      ['E-MAIL', (account) => account.email ?? ''],
      ['CREATED', (account) => instant(account.createdAt)],
    ],
    'There are no organizations.',
  )
}

async function members(name: string, flags: ListFlags): Promise<void> {
  const found = await withServices(flags, async ({ accounts }) => {
    const session = await ownerSession(accounts, name)
    return listMembers(accounts, session, session.account.id)
  })
  if (flags.json) return printJson(found.map(({ user, role }) => ({ _id: user.id, name: user.name, role })))
  printTable(
    found,
    [
      ['NAME', ({ user }) => user.name],
      ['ROLE', ({ role }) => role],
      ['DISABLED', ({ user }) => instant(user.disabledAt)],
    ],
    `${name} has no members.`,
  )
}

async function add(name: string, user: string, flags: DataFlags & { readonly role: LesserRole }): Promise<void> {
  const member = await withServices(flags, async ({ accounts }) => {
    const session = await ownerSession(accounts, name)
    const { id } = await findUser(accounts, user)
    return putMember(accounts, session, session.account.id, { user: id, role: flags.role })
  })
  print(`${member.user.name} is ${member.role} of ${name}`)
}

async function remove(name: string, user: string, flags: DataFlags): Promise<void> {
  const member = await withServices(flags, async ({ accounts }) => {
    const session = await ownerSession(accounts, name)
    const { id } = await findUser(accounts, user)
    return removeMember(accounts, session, session.account.id, id)
  })
  print(`removed ${member.user.name} from ${name}`)
}

async function transfer(name: string, user: string, flags: DataFlags): Promise<void> {
  const member = await withServices(flags, async ({ accounts }) => {
    const session = await ownerSession(accounts, name)
    const { id } = await findUser(accounts, user)
    return putMember(accounts, session, session.account.id, { user: id, role: 'owner' })
  })
  print(`${member.user.name} is owner of ${name}`)
}

async function deleteEmpty(name: string, flags: DataFlags): Promise<void> {
  const account = await withServices(flags, async ({ accounts }) => {
    const session = await ownerSession(accounts, name)
    return deleteOrganization(accounts, session, session.account.id)
  })
  print(`deleted organization ${account.name}`)
}

function presentAccount({ id, name, title, description, email, createdAt }: AccountRow) {
  return { _id: id, name, title, description, email, createdAt: instant(createdAt) }
}
