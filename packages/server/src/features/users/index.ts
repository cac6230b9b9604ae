export { getUser } from './get-user.ts';
export { listEmails, listUsers, type UserFilter } from './user-list.store.ts';
export {
  type ActiveUser,
  accountsOf,
  activeUsers,
  deleteUser,
  findActiveUser,
  findUser,
  findUserByEmail,
  hasUserWithRole,
  insertUser,
  keepUser,
  lockActiveWithRole,
  lockUser,
  replacePasswordHash,
  setStatus,
  touchUser,
  type UserRow,
  updateEmail,
  updateRole,
  userWithEmail,
} from './users.store.ts';
