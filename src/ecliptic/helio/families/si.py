"""Constants in plain SI numbers, for the second routes.

Typed from their own sources (CODATA 2022; IAU 2015 Resolution B3; IGRF-13 for the Earth's dipole),
not taken from astropy, so that a constant that is wrong in one route shows against the other.
"""

from __future__ import annotations

C = 2.99792458e8
G = 6.67430e-11
K_B = 1.380649e-23
E_CHARGE = 1.602176634e-19
H_PLANCK = 6.62607015e-34
M_E = 9.1093837139e-31
M_P = 1.67262192595e-27
M_U = 1.66053906892e-27
MU_0 = 1.25663706127e-6
EPS_0 = 8.8541878188e-12
SIGMA_SB = 5.670374419e-8
SIGMA_T = 6.6524587051e-29

AU_M = 1.495978707e11
GM_SUN = 1.3271244e20
M_SUN_KG = GM_SUN / G
R_SUN_M = 6.957e8
L_SUN_W = 3.828e26

GM_EARTH = 3.986004e14
R_EARTH_M = 6.3781e6
GM_JUPITER = 1.2668653e17
R_JUPITER_M = 7.1492e7

DAY_S = 86400.0
YEAR_S = 3.15576e7
