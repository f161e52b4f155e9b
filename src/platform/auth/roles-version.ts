/** The cache's key that changes whenever the permissions of a role do. */
export const ROLES_VERSION = "roles-version";
