export { getUser } from './get-user.ts';
export { listEmails, listUsers } from './user-list.store.ts';
export {
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
