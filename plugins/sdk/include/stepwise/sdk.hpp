// Everything that an analyzer plugin needs: #include this and nothing else of Stepwise.
#pragma once

#include "stepwise/args.hpp"
#include "stepwise/call.hpp"
#include "stepwise/column.hpp"
#include "stepwise/intervals.hpp"
#include "stepwise/json_writer.hpp"
#include "stepwise/plugin.h"
#include "stepwise/registration.hpp"
#include "stepwise/table.hpp"
#include "stepwise/tables.hpp"
#include "stepwise/value.hpp"
